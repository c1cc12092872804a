"""From config to records: plan the cells of an experiment, run each in isolation, store what it gave."""
