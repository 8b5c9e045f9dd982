"""Streams that are quieter during calls, and as loud as before afterwards."""
from __future__ import annotations

import contextlib
import logging
from typing import Collection, Iterable, List, Sequence, Set, Tuple

import sound_server
from muted_streams import Debt, Debts
from sound_server import App, NoServer, Stream

log = logging.getLogger("media_pause")

ROLES = ("music", "video", "game", "animation")
# Which program a stream is of: some play and record in processes of their own.
PROGRAM = ("application.process.id", "application.process.binary")
ROUNDING = 66                                   # of a volume by the server: a tenth of a percent


def to_be_lowered(streams: Iterable[Stream], apps: Collection[App]) -> Set[Tuple[str, int]]:
    """What is played that has the role of music and the like, or none, and is not of a call: neither
    of an app of calls, nor of a program that records at the same time."""
    streams = list(streams)
    recording = {name for stream in streams for name in _programs(stream)
                 if stream.kind == "source-output" and not stream.is_meter}
    return {stream.key for stream in streams
            if stream.kind == "sink-input" and not any(app.owns(stream) for app in apps)
            and _is_media(stream, recording)}


def _is_media(stream: Stream, recording: Set[str]) -> bool:
    role, programs = stream.properties.get("media.role", "").lower(), _programs(stream)
    return role in ROLES or (not role and bool(programs) and not programs & recording)


def _programs(stream: Stream) -> Set[str]:
    return {stream.properties[name] for name in PROGRAM if name in stream.properties}


def lowered(volumes: Sequence[int], percent: int) -> Tuple[int, ...]:
    return tuple(volume * percent // 100 for volume in volumes)


class Quieter:
    """Lowers volumes, and gives back those that it, or a predecessor, has lowered. A volume that the
    user has changed meanwhile stays as it is."""

    def __init__(self, debts: Debts, percent: int) -> None:
        self._debts, self._percent = debts, percent

    async def settle(self, streams: List[Stream], life: str,
                     to_lower: Collection[Tuple[str, int]]) -> None:
        """Lowers the streams of these kinds and numbers, and gives back the rest.

        Args:
            streams: all that there are.
            life: of the sound server.
        """
        self._debts.see(streams, life)
        for stream in streams:
            debt = self._debts.debt_to(stream, life)
            if not any(stream.volumes) and (debt is None or any(debt.after)):
                continue                        # PipeWire says 0 of a stream whose volume it is about to set
            if stream.key in to_lower:
                await self._lower(stream, life, debt)
            elif debt is not None:
                await self._give_back(stream, life, debt)

    async def _lower(self, stream: Stream, life: str, debt: Debt | None) -> None:
        if debt is not None and debt.is_of(stream, life):
            return
        if debt is not None and is_same(stream.volumes, debt.after):
            self._debts.add(stream, life, debt.before, debt.after)      # the server has remembered it
            return
        after = lowered(stream.volumes, self._percent)
        self._debts.add(stream, life, stream.volumes, after)
        log.info("lowering %s %d", *stream.key)
        with contextlib.suppress(NoServer):     # most likely the stream is gone
            await sound_server.set_volumes(*stream.key, after)

    async def _give_back(self, stream: Stream, life: str, debt: Debt) -> None:
        if is_same(stream.volumes, debt.after) or is_same(stream.volumes, debt.before):
            log.info("giving back %s %d", *stream.key)
            try:
                await sound_server.set_volumes(*stream.key, debt.before)
            except NoServer:
                return                          # gone, and perhaps inherited
        self._debts.paid(stream, life)


def is_same(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two volumes differ by rounding at most."""
    return len(one) == len(other) and all(
        abs(left - right) <= ROUNDING for left, right in zip(one, other))
