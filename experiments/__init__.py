"""One module for each exhibit, the paper's and ours: its panels and its claims; beside them what they share."""
