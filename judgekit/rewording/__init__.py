"""Texts that say the same in other words: the baseline that targeted edits are compared with."""
