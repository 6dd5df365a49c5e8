"""`python -m verifier`: the same as `verify`."""

from verifier.cli import main

main()
