"""Figures of listed companies, from EDGAR company facts or the embedded sample."""
