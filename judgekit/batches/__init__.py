"""Calls handed over many at a time, at half the price and within a day: OpenAI's batches and Anthropic's."""
