"""Standard error leads to somebody who does not read."""
import os
import pty

from attack import attack
from field import frame, hello
from readers import events

LINES = frame("broker.log", level="error", message="x" * 4_000) * 100


def fill(field):
    """Far more lines than a pipe or a terminal holds."""
    crowd = field.crowd(50, hello(), 1)
    for _ in range(5):
        crowd.ask(LINES + frame("broker.ping", 1), 1)


def start(field, reader, writer):
    """The broker writes to nobody, to its end."""
    field.lasting.callback(os.close, reader)
    field.broker.standard_error = writer
    try:
        field.start()
    finally:
        os.close(writer)


@attack("5,000 lines for a log that is a pipe nobody reads", quick=True, late=True)
def pipe(field):
    start(field, *os.pipe())
    fill(field)


@attack("5,000 lines for a log that is a terminal nobody reads", late=True)
def terminal(field):
    start(field, *pty.openpty())
    fill(field)


@attack("every decision is explained to a pipe nobody reads", late=True, options=["--explain"])
def explained(field):
    start(field, *os.pipe())
    events(field, 2_000)


