"""Readers of corpus files, one module a format; each gives counts or one sentence with the file and line."""
