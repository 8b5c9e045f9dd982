"""What is heard of calls: rings, tones, and the vibration of a telephone."""
