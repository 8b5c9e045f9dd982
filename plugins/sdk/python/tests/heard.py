"""What is heard at the output of a session's sound server, and which tones are in it."""
import array
import math
import subprocess

from programs import wait_until

RATE = 8000


class Recording:
    """What is heard, as it is heard."""

    def __init__(self, session):
        self.process = subprocess.Popen(
            ["parec", "--raw", "--device=null0.monitor", f"--rate={RATE}", "--channels=1",
             "--format=s16le", "--latency-msec=50"], env=session.environment, stdout=subprocess.PIPE)
        session.test.addCleanup(self.close)

    def heard(self, seconds):
        """The next stretch of sound, as samples."""
        return array.array("h", self.process.stdout.read(int(seconds * RATE) * 2))

    def wait_for_tone(self, *frequencies):
        """The loudness of a stretch of 0.1 s that is this tone."""
        loudness = []

        def is_tone():
            stretch = self.heard(0.1)
            loudness.append(max(map(abs, stretch)))
            return loudness[-1] > 200 and all(share(stretch, each) > 0.3 / len(frequencies)
                                              for each in frequencies) and loudness[-1]
        return wait_until(lambda: f"{frequencies} Hz, loudest {max(loudness)}", is_tone)

    def close(self):
        """Also twice."""
        self.process.kill()
        self.process.stdout.close()
        self.process.wait()


def share(samples, frequency):
    """Which part of the power is at that frequency."""
    step = 2 * math.pi * frequency / RATE
    real = sum(each * math.cos(step * index) for index, each in enumerate(samples))
    imaginary = sum(each * math.sin(step * index) for index, each in enumerate(samples))
    power = sum(each * each for each in samples)
    return 2 * (real * real + imaginary * imaginary) / (len(samples) * power) if power else 0.0
