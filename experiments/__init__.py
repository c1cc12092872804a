"""One module for each exhibit of the paper: its panels and its claims."""
