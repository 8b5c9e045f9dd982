#!/usr/bin/env python3
"""Takes the pictures of the README from the real screen in a real terminal: pictures.py FOLDER.

It needs rsvg-convert (librsvg2-bin), convert (imagemagick) and the font DejaVu Sans Mono."""
import os
import re
import subprocess
import sys
import unicodedata
import unittest
from xml.sax.saxutils import escape

from pressing import Lines
from test_calls import Screens

from callbroker import Controller, phone

WIDTH, HEIGHT, MARGIN = 9, 19, 12
PAPER, INK = "#101317", "#d7dce3"
COLORS = {31: "#ff7b72", 32: "#7ee787", 36: "#79c0ff"}
SEQUENCE = re.compile(r"\x1b\[([\d;]*)m|\x1b[()][A-Z0-9]|[\x0e\x0f]")


class Look:
    """The attributes of what follows in a line."""

    def __init__(self):
        self.bold = self.dim = self.reversed = False
        self.color = INK

    def change(self, numbers):
        for number in [int(each or 0) for each in numbers.split(";")]:
            if number == 0:
                self.__init__()
            elif number in (1, 2, 7):
                setattr(self, {1: "bold", 2: "dim", 7: "reversed"}[number], True)
            elif number == 22:
                self.bold = self.dim = False
            elif number == 27:
                self.reversed = False
            elif number in COLORS:
                self.color = COLORS[number]
            elif number == 39:
                self.color = INK


def cells(text):
    return sum(0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
               for each in text)


def drawn(text, column, row, look):
    """The elements for a text in one look."""
    x, y, width = MARGIN + column * WIDTH, MARGIN + row * HEIGHT, cells(text) * WIDTH
    back = f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT}" fill="{look.color}"/>' if look.reversed else ""
    if not text.strip():
        return back
    weight = ' font-weight="bold"' if look.bold else ""
    faint = ' fill-opacity="0.6"' if look.dim else ""
    ink = PAPER if look.reversed else look.color
    return (f'{back}<text x="{x}" y="{y + 14}" textLength="{width}" fill="{ink}"{weight}{faint} '
            f'xml:space="preserve">{escape(text)}</text>')


def drawing(styled, columns, rows):
    """What `tmux capture-pane -e` has printed, as SVG."""
    parts, look = [], Look()
    for row, line in enumerate(styled.split("\n")[:rows]):
        column, end = 0, 0
        for match in [*SEQUENCE.finditer(line), None]:
            text = line[end:match.start() if match else None]
            if text:
                parts.append(drawn(text, column, row, look))
                column += cells(text)
            if match:
                look.change(match[1]) if match[1] is not None else None
                end = match.end()
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-size="15" '
            f'font-family="DejaVu Sans Mono"><rect width="100%" height="100%" rx="8" fill="{PAPER}"/>'
            + "".join(parts) + "</svg>")


class Pictures(Screens, unittest.TestCase):
    target = "."

    def take(self, screen, name, columns=80, rows=24):
        svg = drawing(screen.styled(), columns, rows).encode()
        done = subprocess.run(["rsvg-convert"], input=svg, stdout=subprocess.PIPE, check=True)
        subprocess.run(["convert", "png:-", "-colors", "24", "-strip",
                        "png8:" + os.path.join(self.target, name + ".png")], input=done.stdout, check=True)

    def test_take(self):
        desk = Lines(self.broker, name="Desk phone", supports_text=True)
        desk.provider.__enter__()
        self.addCleanup(desk.provider.__exit__, None, None, None)
        mobile = self.app("org.example.mobile", "Mobile")
        screen = self.screen(80, 24, "xterm-256color")
        me = Controller("pictures", socket=self.broker.path)
        me.__enter__()
        self.addCleanup(me.__exit__, None, None, None)
        ada = desk.incoming("+442079460123", "Ada Lovelace", supports_set_text=True, line="work",
                            supports_transfer=True)
        me.answer(ada, wait="completed").result()
        me.set_text(ada, True, wait="completed").result()
        grace = mobile.incoming("+15550101", "Grace Hopper")
        screen.wait_to_see("Another call")
        me.request("call.answer", {"call": grace, "choice": "hold_and_answer", "wait": "completed"}).result()
        screen.wait_to_see("held for Grace Hopper", "with text")
        desk.provider.report_quality(ada, loss_permille=4, jitter_ms=8, round_trip_ms=45).result()
        desk.incoming("+15550188", "Annie Easley")
        screen.wait_to_see("> Ada", "Another call: Annie Easley", "round trip")
        self.take(screen, "calls")
        screen.type("y")
        screen.wait_to_see("Why Ada")
        self.take(screen, "why")
        screen.keys("Escape")
        me.swap(ada, wait="completed").result()
        screen.wait_to_see("> Ada Lovelace +442079460123       active")
        desk.provider.report_text(ada, "The engine weaves patterns.\u2028Shall I send the notes?").result()
        screen.type("R")
        screen.wait_to_see("Text with Ada", "Shall I")
        screen.type("Yes, please: by post")
        screen.wait_to_see("You type: Yes, please: by post")
        self.take(screen, "text")
        screen.keys("Escape")
        screen.wait_to_see("[R] Type")
        screen.type("8")
        screen.wait_to_see("2 messages")
        self.take(screen, "lines")


if __name__ == "__main__":
    Pictures.target = os.path.abspath(sys.argv[1])
    os.makedirs(Pictures.target, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
