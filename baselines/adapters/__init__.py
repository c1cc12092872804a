"""Classes of other packages made into methods, one short file each; tomotopy comes with the extra `rivals`."""
