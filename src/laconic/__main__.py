"""``python -m laconic`` is the command line."""

from laconic.cli.main import main

main()
