"""Time that a process waited for a processor, by the kernel's own account: a busy machine is no slow
broker."""
import os


class Waits:
    """The main thread of a process, and how long it has been ready to run without running."""

    def __init__(self, process):
        self.file = os.open(f"/proc/{process}/task/{process}/schedstat", os.O_RDONLY)

    @property
    def seconds(self):
        try:
            return int(os.pread(self.file, 64, 0).split()[1]) / 1e9
        except OSError:
            return 0.0

    def close(self):
        os.close(self.file)


def share(ordered, of):
    """The sample below which so many of all lie; zero if there are none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * of))] if ordered else 0.0
