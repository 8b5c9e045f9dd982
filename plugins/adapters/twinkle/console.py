"""twinkle-console as a child process: commands go in, what it prints and logs comes out."""
from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
from pathlib import Path
from typing import Callable, Optional, Tuple

READY_SECONDS = 20.0                            # for it to take calls
STEP_SECONDS = 0.05                             # between looks at its log
TRIES_A_COMMAND = 20                            # looks, before a command is given again
PROMPT = "Twinkle> "
# Of its log: an INVITE on its way, with the number of its transaction, and the answer to that. Nothing
# else says that the far end has agreed to a hold.
INVITED = re.compile(r"Send to: [^\n]*\nINVITE (?:[^\r\n]+\r?\n)*?CSeq: (\d+) INVITE")
ANSWERED = (r"Received from: [^\n]*\nSIP/2\.0 ([2-6]\d\d) ?([^\r\n]*)\r?\n"
            r"(?:[^\r\n]+\r?\n)*?CSeq: {} INVITE")
STATUS = re.compile(r"([3-6]\d\d) (.*)")


def announcement(line: str) -> Optional[Tuple[int, str]]:
    """The number of the telephone line and the words, of `Line 1: incoming call`."""
    found = re.fullmatch(r"Line ([12]): (.+)", line.strip())
    return (int(found[1]), found[2].rstrip(".")) if found else None


def caller(line: str) -> Optional[Tuple[str, str]]:
    """The name and the address of `From:  Ann <sip:ann@host>`."""
    found = re.match(r"From:\s+(?:\"?([^<\"]*?)\"?\s*)?<(sips?:[^>;]+)", line)
    return ((found[1] or "").strip(), found[2]) if found else None


class Console:
    """One life of twinkle-console.

    Args:
        printed: called with each line that it prints.
    """

    def __init__(self, printed: Callable[[str], None], log: Path) -> None:
        self._printed, self._log = printed, log
        self._process: Optional[asyncio.subprocess.Process] = None
        self._reading: Optional[asyncio.Future[None]] = None
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self, profile: str) -> None:
        """Starts it; OSError if that is not possible, ConnectionError if it ends at once."""
        command = ["twinkle-console", profile]
        if shutil.which("setpriv"):             # it does not outlive this program
            command[:0] = ["setpriv", "--pdeathsig", "TERM", "--"]
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT)
        ready = asyncio.get_running_loop().create_future()
        self._reading = asyncio.ensure_future(self._read(ready))
        await asyncio.wait({ready, self.lost}, timeout=READY_SECONDS,
                           return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            raise ConnectionError(f"twinkle-console does not start; {self._log} may say why")

    async def _read(self, ready: asyncio.Future[None]) -> None:
        assert self._process is not None and self._process.stdout is not None
        try:
            while True:
                data = await self._process.stdout.readline()
                if not data:
                    break
                line = data.decode(errors="replace").rstrip("\r\n")
                while line.startswith(PROMPT):
                    line = line[len(PROMPT):]
                if line.startswith("Local IP:") and not ready.done():
                    ready.set_result(None)
                self._printed(line)
        finally:
            if not self.lost.done():
                self.lost.set_result(None)

    def send(self, *words: str) -> None:
        """A command; what is no single word or address is none."""
        line = " ".join(words)
        if self._process is None or self._process.stdin is None or self.lost.done():
            raise ConnectionError("twinkle is gone")
        if any(ord(character) < 32 for character in line):
            raise ValueError("a command is one line")
        self._process.stdin.write(line.encode() + b"\n")

    def position(self) -> int:
        """The end of its log, from where a later answer is to be looked for."""
        with contextlib.suppress(OSError):
            return self._log.stat().st_size
        return 0

    async def invite(self, *command: str) -> Tuple[int, str]:
        """Gives a command that sends an INVITE. Returns the final answer: status and words. When it is
        not ready yet, it ignores a command, and says nothing: then the command is given again."""
        since, tries = self.position(), 0
        while not self.lost.done():
            logged = self._logged(since)
            sent = INVITED.search(logged)
            answer = sent and re.search(ANSWERED.format(sent[1]), logged)
            if answer:
                return int(answer[1]), answer[2]
            if not sent and tries % TRIES_A_COMMAND == 0:
                self.send(*command)
            tries += 1
            await asyncio.sleep(STEP_SECONDS)
        raise ConnectionError("twinkle is gone")

    def _logged(self, since: int) -> str:
        """What its log has since then."""
        with contextlib.suppress(OSError):
            with open(self._log, encoding="utf-8", errors="replace") as file:
                # It may have begun another file.
                file.seek(since if self.position() >= since else 0)
                return file.read()
        return ""

    def kill(self) -> None:
        """Ends one that hangs."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def close(self) -> None:
        """Ends it, and its call."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(OSError, ConnectionError):
                self.send("quit")
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._process.wait(), 5.0)
            if self._process.returncode is None:
                self._process.kill()
                await self._process.wait()


