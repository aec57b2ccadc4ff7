"""Runs of several releases side by side, and certificates held against what can be recomputed."""
