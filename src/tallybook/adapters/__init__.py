"""Floor 5: a view becomes a message format, a reply becomes events."""
