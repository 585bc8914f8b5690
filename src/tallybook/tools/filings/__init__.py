"""What companies, insiders and managers file with the SEC, read as documents."""
