"""What every worker would do first, done once by importing this in the fork server that they come from.

Of the 0.27 CPU seconds that a worker took until documents were simulated and measured for the first time, 0.2 were for
what numba sets up. Each worker would ask git which code this is. And what is imported by now is no garbage: Python's
collector need not search it in every worker, nor write to its memory, which workers share.
"""

import gc

from gdmbench.compiling import make_ready
from gdmbench.versions import versions

make_ready()
versions()
gc.freeze()
