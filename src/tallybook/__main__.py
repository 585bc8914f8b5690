"""`python -m tallybook` is `tallybook`."""

import sys

from tallybook.cli import main

sys.exit(main())
