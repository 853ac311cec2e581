"""A command in each file, or siblings; a file is imported when its command is named."""
