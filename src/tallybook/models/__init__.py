"""Floor 5: providers. Their windows and fast siblings, and what their errors mean."""
