"""Programs that run for a test. Everything is waited for, with a ceiling."""
import os
import signal
import subprocess
import time

CEILING = float(os.environ.get("CEILING", 30.0))


def wait_until(what, condition, *arguments):
    """Asks again until it is so; an error that shows what there was when that takes too long."""
    end = time.monotonic() + CEILING
    while True:
        result = condition(*arguments)
        if result:
            return result
        if time.monotonic() > end:
            what = what() if callable(what) else what
            raise AssertionError(f"waited {CEILING:.0f} s: {what}")
        time.sleep(0.01)


def start_until(start, is_up):
    """A program that is up. On a busy machine it may end by itself while it starts, as Firefox does, and is
    started again then."""
    for _ in range(3):
        program = start()
        wait_until(lambda: f"{program.name} is up: {program.said()[-2000:]}",
                   lambda: is_up() or program.process.poll() is not None)
        if program.process.poll() is None:
            return program
    raise AssertionError(f"{program.name} has ended: {program.said()[-2000:]}")


class Program:
    """A process that ends with the test; what it says is in a file."""

    def __init__(self, test, folder, name, arguments, environment=None, **options):
        self.name, self.log = name, os.path.join(folder, name + ".log")
        with open(self.log, "wb") as output:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env=environment, cwd=folder, **options)
        test.addCleanup(self.stop)

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for(self, words):
        def ready():
            if self.process.poll() is not None:
                raise AssertionError(f"{self.name} has ended: {self.said()[-2000:]}")
            return words in self.said()
        wait_until(lambda: f"{self.name} says {words!r}: {self.said()[-2000:]}", ready)

    def wait(self):
        return self.process.wait(CEILING)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.wait()

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
