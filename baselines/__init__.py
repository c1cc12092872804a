"""The rivals of the geometric methods, one file each."""

from pkgutil import extend_path

SUITE = "gdmbench"  # by which `gdmbench.suite` knows this package from another of its name
__path__ = extend_path(__path__, __name__)  # a user may have a folder of the same name
