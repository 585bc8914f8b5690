"""Floor 2: the numbers. Find them, compare them, lay them out in tables."""
