"""Arms of the swap test beside the change of person: texts reworded as far, and pairs under swapped names."""
