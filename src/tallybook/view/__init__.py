"""Floor 2: what the model sees, folded from the scratchpad."""
