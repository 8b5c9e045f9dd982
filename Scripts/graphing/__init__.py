"""The parts of `Scripts/graph`."""
