"""Mistakes and mishaps that the command line answers with one sentence."""


class ConfigError(Exception):
    """A mistake in what the user asked for: the command line prints the sentence and exits with 2."""


class DataError(ConfigError):
    """A corpus that is not there or can't be read."""


class RunError(Exception):
    """Something that ends a run before its time: the command line prints the sentence and exits with 3."""
