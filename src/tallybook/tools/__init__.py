"""What an agent can read with: each tool is plain Python, mounted by a shell."""
