"""Floor 3: how what was let go comes back."""
