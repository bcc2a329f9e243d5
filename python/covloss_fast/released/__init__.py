"""Rooms that see released values alone: everything here is post-processing and costs no privacy."""
