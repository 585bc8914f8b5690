"""Floor 9: what a person sees in a terminal. Each module is one command."""
