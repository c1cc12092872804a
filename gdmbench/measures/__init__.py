"""Measures of topics and of held-out documents."""
