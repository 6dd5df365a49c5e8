"""Mutated inputs by the thousand: `python tests/fuzz/run.py --help`. `tests/test_fuzz.py` runs a short slice."""
