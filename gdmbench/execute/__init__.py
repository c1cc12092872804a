"""Running cells in worker processes, each of which has one at a time, here or on a cluster."""

from typing import Any

Outcome = dict[str, Any]  # what a job in a worker process gave: `status`, `error`, and whatever else it tells
