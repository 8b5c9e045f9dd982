"""A hook that is a program: its start, its time, its output and its end."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
from pathlib import Path
from typing import Dict, List

from happenings import Happening, encoded

log = logging.getLogger("hooks")

OUTPUT_BYTES = 4_096                            # of one run, for the log
KILL_SECONDS = 2.0                              # between SIGTERM and SIGKILL
# What is for the plugin itself.
PRIVATE = ("BROKER_OPTIONS", "CREDENTIALS_DIRECTORY")


async def run_hook(path: Path, happening: Happening, seconds: float, is_redacted: bool) -> None:
    """Runs it with one event, and logs its output and its exit status."""
    name = f"{path.parent.name}/{path.name}"
    try:
        run = Run(path, happening, is_redacted)
    except (OSError, ValueError) as error:
        return log.warning("%s cannot be run: %s", name, getattr(error, "strerror", error))
    try:
        problem = await run.finish(seconds)
    finally:
        run.close()
    for line in happening.without_people(run.output()).splitlines():
        log.warning("%s: %s", name, line)       # whoever prints wants to be read
    log.log(logging.WARNING if problem else logging.INFO, "%s %s", name, problem or "has succeeded")


class Run:
    """One process, the leader of a group of its own. Nothing of it is ever waited for in vain: its
    input is complete before it starts, and its output may stay unread."""

    def __init__(self, path: Path, happening: Happening, is_redacted: bool) -> None:
        self._chunks: List[bytes] = []
        self._rest = OUTPUT_BYTES
        self._output, writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        event = os.memfd_create("event")        # not a file: it names people
        try:
            write_all(event, encoded(happening.document(is_redacted)) + b"\n")
            os.set_blocking(writing, True)
            self._process = subprocess.Popen(
                [str(path)], stdin=event, stdout=writing, stderr=writing, start_new_session=True,
                cwd=os.environ.get("HOME") or "/", env=environment(happening, is_redacted))
        except BaseException:
            os.close(self._output)
            raise
        finally:
            os.close(event)
            os.close(writing)
        self._pidfd = os.pidfd_open(self._process.pid)

    async def finish(self, seconds: float) -> str:
        """Returns when it has ended, with the reason for a warning if there is one."""
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        loop.add_reader(self._pidfd, ended.set)
        loop.add_reader(self._output, self._read)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(ended.wait(), seconds)
            self.end_group(signal.SIGKILL)      # what it has left in the background
            return describe(self._process.wait())
        self.end_group(signal.SIGTERM)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(ended.wait(), KILL_SECONDS)
        self.end_group(signal.SIGKILL)
        await ended.wait()
        self._process.wait()
        return f"has not ended within {seconds:g} s and was stopped"

    def end_group(self, number: signal.Signals) -> None:
        """The process is not reaped yet, so its number is no other's."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def output(self) -> str:
        text = b"".join(self._chunks).decode("utf-8", "replace")
        return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)

    def close(self) -> None:
        """Whatever has happened: no process and no descriptor stays."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._pidfd)
        if self._process.returncode is None:
            self.end_group(signal.SIGKILL)
            self._process.wait()
        self._read()
        loop.remove_reader(self._output)
        os.close(self._output)
        os.close(self._pidfd)

    def _read(self) -> None:
        """One piece; what is too much is dropped, so that the program never waits for a reader."""
        try:
            piece = os.read(self._output, 65_536)
        except BlockingIOError:
            return
        if not piece:
            asyncio.get_running_loop().remove_reader(self._output)
        if self._rest > 0:
            self._chunks.append(piece[:self._rest])
            self._rest -= len(piece)


def environment(happening: Happening, is_redacted: bool) -> Dict[str, str]:
    given = {key: value for key, value in os.environ.items() if key not in PRIVATE}
    words = happening.words(is_redacted)
    return {**given, **{f"CALL_{name.upper()}": value for name, value in words.items()}}


def describe(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"has failed: exit status {status}" if status else ""


def write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data):]
    os.lseek(descriptor, 0, os.SEEK_SET)
