"""Decisions of the chatbot under test: probabilities of its options, and what rewording alone does to them."""
