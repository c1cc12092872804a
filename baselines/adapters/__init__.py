"""Other people's samplers with the manners of a method: one short file each, installed with the extra `rivals`."""
