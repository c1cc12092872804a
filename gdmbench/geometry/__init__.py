"""The paper's own methods, usable as a library with no benchmark around them."""
