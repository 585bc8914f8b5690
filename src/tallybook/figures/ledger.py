"""wip"""
from tallybook.figures.tabular import encode
from tallybook.figures.restore import decode
