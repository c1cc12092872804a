"""Other people's samplers with the manners of a method: one short file each; tomotopy comes with the extra `rivals`."""
