"""The screen in a real terminal: tmux, which is told keys and asked what it shows."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from programs import CEILING, wait_until  # noqa: E402

PROGRAM = os.path.abspath(os.environ.get("CALLBROKER_PHONE") or os.path.join(
    ROOT, ".build-phone", "debug", "callbroker-phone"))
PICTURES = os.path.join(HERE, "pictures")
# Times of the day, dates and durations, which no two runs share.
TIMES = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?|\d+:\d\d(:\d\d)?")


def wait_that(condition, what):
    """Waits until the condition holds; `what` is told if it does not."""
    wait_until(what, condition)


class Terminal:
    """A terminal of its own with the screen in it; behind the screen is a shell."""

    def __init__(self, test, broker, columns=80, rows=24, term="tmux-256color", **environment):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.socket = os.path.join(self.folder, "tmux")
        variables = {"BROKER_SOCKET": broker.path, "LC_ALL": "C.UTF-8", "TERM": term, "PS1": "$ ",
                     "ENV": "", **environment}
        words = " ".join(f"{name}='{value}'" for name, value in variables.items())
        config = os.path.join(self.folder, "tmux.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write("set -g status off\nset -sg escape-time 0\n")
        # tmux itself has a language of Unicode; that of the screen is in its variables.
        subprocess.run(
            ["tmux", "-u", "-S", self.socket, "-f", config, "new-session", "-d", "-x", str(columns), "-y",
             str(rows), f"exec env -i PATH='{os.environ['PATH']}' {words} sh -i"],
            check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
        test.addCleanup(self.tmux, "kill-server")
        self.wait_to_see("$")
        self.run(f"{PROGRAM}; echo exit=$?")

    def wait_until_connected(self):
        """Looks only at whole pictures: the lowest line, with the hints, is drawn last."""
        wait_that(lambda: "[c]" in (seen := self.picture()) and "Connecting" not in seen, self.complaint("Connecting"))

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-S", self.socket, *arguments], timeout=CEILING, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout

    def run(self, line):
        """Types a line for the shell."""
        self.type(line)
        self.keys("Enter")

    def keys(self, *names):
        """Presses keys by their names in tmux."""
        self.tmux("send-keys", *names)

    def type(self, text):
        """Types a text as it is."""
        self.tmux("send-keys", "-l", text)

    def click(self, text, offset=1, times=1):
        """Clicks on a text, as a terminal with SGR coordinates reports it."""
        row, column = self.find(text)
        place = f"\x1b[<0;{column + 1 + offset};{row + 1}"
        self.type(f"{place}M{place}m" * times)

    def wheel(self, text, up):
        """Turns the wheel by one step on a text."""
        row, column = self.find(text)
        self.type(f"\x1b[<{64 if up else 65};{column + 2};{row + 1}M")

    def slow_click(self, text):
        """Presses the button on a text, and releases it later."""
        row, column = self.find(text)
        for end in ("M", "m"):
            self.type(f"\x1b[<0;{column + 2};{row + 1}{end}")

    def find(self, text):
        """The place of a text, once it is the same in two looks: the first may be at half a frame."""
        places = [None]

        def is_still():
            places.append(next(((row, line.index(text)) for row, line in enumerate(self.lines()) if text in line), None))
            return places[-1] is not None and places[-1] == places[-2]

        wait_that(is_still, self.complaint(text))
        return places[-1]

    def lines(self):
        return self.tmux("capture-pane", "-p").split("\n")

    def picture(self):
        return "\n".join(line.rstrip() for line in self.lines()).rstrip() + "\n"

    def styled(self):
        """What is shown, with the sequences of colors."""
        return self.tmux("capture-pane", "-p", "-e", "-N")

    def wait_to_see(self, *texts):
        """Waits until all texts are shown at once."""
        wait_that(lambda: all(text in self.picture() for text in texts), self.complaint(texts))

    def wait_not_to_see(self, text):
        wait_that(lambda: text not in self.picture(), self.complaint(text))

    def complaint(self, what):
        return lambda: f"{what} is not as expected in:\n{self.picture()}"

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def pid(self):
        """The process of the screen."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        children = subprocess.run(["pgrep", "-P", shell, "-f", os.path.basename(PROGRAM)], text=True,
                                  stdout=subprocess.PIPE, check=False).stdout.split()
        return int(children[0])

    def is_as_in(self, name):
        """Compares what is shown with a picture. CALLBROKER_REGENERATE=1 writes the pictures anew."""
        path = os.path.join(PICTURES, name + ".txt")
        if os.environ.get("CALLBROKER_REGENERATE"):
            os.makedirs(PICTURES, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(timeless(self.picture()))
        with open(path, encoding="utf-8") as file:
            expected = file.read()
        wait_that(lambda: timeless(self.picture()) == expected,
                   lambda: f"{name}:\n{expected}\nis not\n{self.picture()}")


def timeless(picture):
    """The picture with zeros for times."""
    return TIMES.sub(lambda match: re.sub(r"\d", "0", match[0]), picture)
