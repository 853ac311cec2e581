"""The commands, each in a file of its own or of a related one; a file is imported on demand."""
