"""Floor 3: what is let go. Four lines of defence, each one pure function."""
