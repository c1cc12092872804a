"""`python -m gdmbench`."""

import sys


def main() -> int:
    """Run the command line."""
    from gdmbench.cli import main as run_command_line

    return run_command_line()


if __name__ == "__main__":
    sys.exit(main())
