"""What reading PDFs may take; apart from `workers`, so that a build with nothing to do need not load that."""

import os

MEMORY = 3 * 2**30
"""Bytes of address space that the reader of one PDF may take, if nothing else is said."""


def processors() -> int:
    """Processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
