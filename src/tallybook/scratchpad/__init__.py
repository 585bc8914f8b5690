"""Floor 1: what happened. Immutable events, appended to a file, never changed."""
