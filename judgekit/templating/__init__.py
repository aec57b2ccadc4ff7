"""Prompts from templates: the file's form, slots and their grammar, the cells of the design and its arms."""
