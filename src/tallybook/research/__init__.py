"""Floor 7: the research agent assembled from tools, recall, a model and its prompt."""
