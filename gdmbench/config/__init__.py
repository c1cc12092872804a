"""From the words of a command line to a checked config: the schema, the config files there are, what targets take."""
