"""`python -m verifier`: the same as `verify`."""

from verifier.cli import main

if __name__ == "__main__":  # `verifier.parallel` may import this module again, in the processes that it starts
    main()
