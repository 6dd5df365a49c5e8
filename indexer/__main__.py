"""`python -m indexer` is the command `index`."""

import sys

from indexer.cli import main

sys.exit(main())
