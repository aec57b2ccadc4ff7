"""blinding."""
