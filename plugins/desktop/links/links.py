#!/usr/bin/python3
"""Makes links of the registered apps (`skype:`, `room:`) open here.

    links.py [--socket PATH] [--verbose]

Writes callbroker-schemes.desktop into the user's applications, for the schemes that no other program
opens, and removes it when there are none.
"""
from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
from pathlib import Path
from typing import FrozenSet, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

from apps import Apps
from callbroker import BrokerError, Disconnected, Observer, run_program

log = logging.getLogger("links")

IDENTITY = "org.callbroker.links"
TOPICS = ("provider.added", "provider.changed", "provider.resumed", "provider.removed")
FILE = "callbroker-schemes.desktop"
ALREADY = frozenset(("tel", "sip", "sips"))     # in callbroker.desktop
# Links that mean something else to most programs: no app of calls opens them by being registered.
OF_OTHERS = frozenset(("about", "data", "file", "ftp", "http", "https", "javascript", "mailto"))
SECONDS = 10.0                                  # of a program of the desktop, then it is killed
ENTRY = """\
[Desktop Entry]
Type=Application
Name=CallBroker
Comment=Call an address with the app that can
Exec={tool} dial -- %u
Icon=call-start
Terminal=false
NoDisplay=true
Categories=Network;Telephony;
MimeType={types}
"""


def applications() -> Path:
    """The folder of the user's desktop entries."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local/share")
    return Path(data) / "applications"


async def output(*command: str) -> Optional[str]:
    """What a program prints; None if it is not installed or has failed."""
    if shutil.which(command[0]) is None:
        return None
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})
    try:
        out, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    except asyncio.TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return out.decode(errors="replace") if process.returncode == 0 else None


async def is_free(scheme: str) -> bool:
    """Whether no other program opens these links; false where nobody knows."""
    listed = await output("gio", "mime", "x-scheme-handler/" + scheme)
    if listed is None:
        return False
    programs = {line.strip() for line in listed.splitlines() if line.startswith("\t")}
    return programs <= {FILE}


class Links:
    """The desktop entry, as the registered apps need it."""

    def __init__(self) -> None:
        self._written: Optional[Tuple[str, ...]] = None

    async def update(self, registered: FrozenSet[str]) -> None:
        """Writes or removes the entry, if that changes anything."""
        wanted = sorted(registered - ALREADY - OF_OTHERS)
        schemes = tuple([each for each in wanted if await is_free(each)])
        if schemes == self._written:
            return
        folder = applications()
        if schemes:
            folder.mkdir(parents=True, exist_ok=True)
            new = folder / (FILE + ".new")
            new.write_text(entry(schemes), encoding="utf-8")
            os.replace(new, folder / FILE)
        elif not (folder / FILE).exists():
            return
        else:
            (folder / FILE).unlink()
        await output("update-desktop-database", str(folder))
        self._written = schemes
        log.info("links of %d schemes open here", len(schemes))


def entry(schemes: Tuple[str, ...]) -> str:
    """The text of the desktop entry."""
    types = "".join(f"x-scheme-handler/{each};" for each in schemes)
    return ENTRY.format(tool=shutil.which("callbroker") or "callbroker", types=types)


async def follow(observer: Observer) -> None:
    """Until the connection is closed."""
    apps, links = Apps(), Links()
    async for event in observer:
        try:
            await apps.follow(observer, event)
            await links.update(apps.schemes)
        except (BrokerError, Disconnected) as problem:
            log.info("left as it was: %s", problem)
        except OSError as error:
            log.warning("links do not open here: %s", error)


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    if shutil.which("gio") is None:
        log.warning("links do not open here: gio is not installed; it is in the package libglib2.0-bin")
    observer = Observer("links", identity=IDENTITY, socket=options.socket, topics=TOPICS)
    await observer.serve_beside(follow(observer))


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes links of the registered apps open here.")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("links", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
