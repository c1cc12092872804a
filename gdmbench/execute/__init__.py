"""Running cells: one at a time in a worker process of its own, here or on a cluster."""

from typing import Any

Outcome = dict[str, Any]  # what a job in a worker process gave: `status`, `error`, and whatever else it tells
