"""Check whether an LLM judge can be believed before its scores are."""
