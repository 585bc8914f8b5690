"""A view as the message JSON of a provider: as it was recorded where it is shown in full."""

from tallybook.adapters.export.write import FORMATS, Format, export

__all__ = ["FORMATS", "Format", "export"]
