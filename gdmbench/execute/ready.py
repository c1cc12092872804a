"""What every worker would do first, done once by importing this in the fork server that they come from.

Of the 0.27 CPU seconds that a worker took until documents were simulated and measured for the first time, 0.2 were for
what numba sets up. And each worker would ask git which code this is.
"""

from gdmbench.compiling import make_ready
from gdmbench.versions import versions

make_ready()
versions()
