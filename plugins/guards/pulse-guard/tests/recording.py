"""What was heard at the output of a sound server, and which tones were in it."""
import array
import math
import os

from studio import FORM, RATE, wait_until

WINDOW = RATE // 50                             # a fiftieth of a second
# Of the amplitude of 16,000 that tones have. A tone that is cut off within a window has up to 1,000 of
# every other tone there.
AUDIBLE = 2_000


class Recording:
    """From now on, of all that is played."""

    def __init__(self, studio):
        self._path = os.path.join(studio.folder, "recording")
        self._program = studio.program("recorder", "parec", "--device=null0.monitor", *FORM, self._path)
        self.wait_for_more()

    def size(self):
        return os.path.getsize(self._path) if os.path.exists(self._path) else 0

    def wait_for_more(self, seconds=0.3):
        """Until so much more was recorded."""
        size = self.size() + int(seconds * RATE) * 2
        wait_until("more is recorded", lambda: self.size() >= size)

    def wait_for(self, hertz):
        """Until a tone is heard."""
        wait_until(f"{hertz} Hz is heard", lambda: any(self.windows(hertz)))

    def windows(self, *tones):
        """For each window, whether all these tones are in it."""
        samples = array.array("h")
        with open(self._path, "rb") as file:
            contents = file.read()
        samples.frombytes(contents[:len(contents) // 2 * 2])
        pieces = (samples[begin:begin + WINDOW]
                  for begin in range(0, len(samples) - WINDOW + 1, WINDOW))
        return [all(amplitude(piece, hertz) > AUDIBLE for hertz in tones) for piece in pieces]


def amplitude(samples, hertz):
    """Of one tone in some samples (Goertzel), a whole number of whose waves they are."""
    factor = 2 * math.cos(2 * math.pi * hertz / RATE)
    former = current = 0.0
    for sample in samples:
        former, current = current, sample + factor * current - former
    power = current * current + former * former - factor * current * former
    return 2 * math.sqrt(max(power, 0.0)) / len(samples)
