"""The rivals of the geometric methods, one file each."""
