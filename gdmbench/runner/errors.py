"""Mistakes that the command line answers with one sentence."""


class ConfigError(Exception):
    """A mistake in what the user asked for, said in one sentence; the command line prints it and exits with 2."""
