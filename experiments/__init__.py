"""One module for each exhibit, the paper's and ours: its panels and its claims; beside them what they share."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # a user may have a folder of the same name
