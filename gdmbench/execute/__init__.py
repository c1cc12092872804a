"""Running cells: one at a time in a worker process of its own, here or on a cluster."""
