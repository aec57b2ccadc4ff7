"""What a file of somebody else's replies holds: columns, groups, names, language, templates; and a study made of it."""
