"""The door: the one place where noise is added, and written down."""
