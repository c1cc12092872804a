"""Tables and figures drawn from records alone."""
