"""Rooms that may see records: tables, their encoding, exact statistics, partitions."""
