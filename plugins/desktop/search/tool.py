"""The command `callbroker`, which knows the sentences of each language."""
from __future__ import annotations

import asyncio
import logging
import shlex
from typing import Dict, Tuple

log = logging.getLogger("search")

TOOL = "callbroker"
SECONDS = 30.0                                  # of a command, which may ask a broker that hangs
KEPT = 100                                      # sentences whose meaning is remembered

_meanings: Dict[str, Tuple[str, ...]] = {}


async def sentence(words: str) -> Tuple[str, ...]:
    """The command that a sentence stands for, without the program; none if it is no sentence."""
    if words not in _meanings:
        while len(_meanings) >= KEPT:
            del _meanings[next(iter(_meanings))]
        _meanings[words] = await _meaning(words)
    return _meanings[words]


async def _meaning(words: str) -> Tuple[str, ...]:
    status, out = await run("intent", "--show", "--", words)
    return tuple(shlex.split(out)[1:]) if status == 0 else ()


async def run(*arguments: str) -> Tuple[int, str]:
    """The status and output of a command; what it refuses is for the user, not for the log."""
    try:
        process = await asyncio.create_subprocess_exec(
            TOOL, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL)
    except OSError as error:
        log.warning("sentences find nothing: %s does not start (%s); put it in PATH", TOOL,
                    error.strerror)
        return 127, ""
    try:
        out, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    except asyncio.TimeoutError:
        log.warning("%s %s does not end, and was killed", TOOL, arguments[0])
        return 1, ""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode or 0, out.decode(errors="replace")
