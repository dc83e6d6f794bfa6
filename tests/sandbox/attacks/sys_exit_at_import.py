# any: an exception like others
import sys

sys.exit(0)
