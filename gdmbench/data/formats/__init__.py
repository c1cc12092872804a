"""Readers of corpus files, one module for each format; each gives counts or one sentence with the file and line."""
