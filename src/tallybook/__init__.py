"""Keep an LLM agent working past its context window, losing nothing it read."""
