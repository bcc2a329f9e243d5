"""The two methods of the private half, each walking the rooms in order."""
