"""Tables, figures and claims drawn from records alone."""
