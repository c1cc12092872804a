"""Corpora: simulated ones and real ones."""
