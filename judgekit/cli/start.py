"""Where the program begins: Ctrl-C while the rest is being loaded ends it as quietly as later on."""

import sys

__all__ = ["main"]


def main() -> None:
    """Load the command line and run it; ends with 3 on Ctrl-C, whenever that comes."""
    try:
        from judgekit.cli.main import main as run

        run()
    except KeyboardInterrupt:
        # A command under way tells more itself; here nothing was begun, or all is done.
        sys.stderr.write("judgekit: stopped. Do: run the same command again.\n")
        sys.exit(3)
