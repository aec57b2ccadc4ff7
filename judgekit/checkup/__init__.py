"""What a file or a study supports, what blocks it, and which command is next. Nothing here writes or sends anything."""
