"""Market data: prices, what they returned, and the news about a company."""
