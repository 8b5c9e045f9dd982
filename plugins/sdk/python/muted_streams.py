"""Streams of the sound server that a plugin mutes or makes quieter and gives back, whatever happens in
between: what was changed is kept in a file that is written before each change."""
from __future__ import annotations

import collections
import contextlib
import dataclasses
import fcntl
import logging
from pathlib import Path
from typing import IO, Collection, Counter, Dict, List, Optional, Sequence, Set, Tuple

import kept_file
import sound_server
from sound_server import NoServer, Stream

log = logging.getLogger("muted_streams")

Key = Tuple[str, int]                           # kind and number of a stream

KEPT = 64                                       # debts to apps whose streams are gone
MUTES_PER_STREAM = 10                           # an app that unmutes itself is not fought for ever


@dataclasses.dataclass(frozen=True)
class Debt:
    """A stream that is muted or quieter because of us."""

    life: str                                   # of the sound server
    kind: str
    index: int
    restore_id: str                             # names its like in every life
    before: Sequence[int] = ()                  # its volumes, if they were changed,
    after: Sequence[int] = ()                   # and what they were changed to

    def is_of(self, stream: Stream, life: str) -> bool:
        return (self.life, self.kind, self.index) == (life, stream.kind, stream.index)

    def is_inherited_by(self, stream: Stream) -> bool:
        """Whether the server has muted it because it had to remember our mute."""
        return bool(self.restore_id) and (self.kind, self.restore_id) == (
            stream.kind, stream.restore_id)


class InUse(Exception):
    """Another program has the file."""


class Debts:
    """The file, from the moment it is opened; one program at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock: IO[str] = open(path.with_suffix(".lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise InUse(f"another program uses {path}") from None
        self._debts = self._read()
        self._orphans: List[Debt] = []          # to streams that are gone
        self._known: Optional[Set[Key]] = None  # the streams that were there, once they were seen
        self._begun: Dict[Key, Debt] = {}       # streams that began like another one that is changed

    def close(self) -> None:
        """Leaves the file to a successor."""
        self._lock.close()

    def see(self, streams: List[Stream], life: str) -> None:
        """Finds out which streams are gone, and forgets what nobody can inherit; and which have begun,
        perhaps changed: a server may remember one mute for all streams of an app or of a role."""
        self._see_begun(streams, life)
        gone = [debt for debt in self._debts
                if not any(debt.is_of(stream, life) for stream in streams)]
        heritages = {(debt.kind, debt.restore_id): debt for debt in gone if debt.restore_id}
        self._orphans = list(heritages.values())[-KEPT:]
        if len(self._orphans) < len(gone):
            self._write([debt for debt in self._debts
                         if debt not in gone or debt in self._orphans])

    def _see_begun(self, streams: List[Stream], life: str) -> None:
        present = {stream.key for stream in streams}
        known = self._known
        if known is None:                       # the numbers tell what is newer than the debts
            newest = max((debt.index for debt in self._debts if debt.life == life), default=-1)
            known = {key for key in present if key[1] <= newest}
        self._begun = {key: debt for key, debt in self._begun.items() if key in present}
        for stream in streams:
            like = [debt for debt in self._debts if debt.is_inherited_by(stream)]
            if stream.key not in known and like:
                self._begun[stream.key] = like[-1]
        self._known = present

    def is_owed(self, stream: Stream, life: str) -> bool:
        """Whether it is muted because of us, if it is."""
        return any(debt.is_of(stream, life) for debt in self._debts) or self.is_heir(stream)

    def is_heir(self, stream: Stream) -> bool:
        return (stream.key in self._begun
                or any(debt.is_inherited_by(stream) for debt in self._orphans))

    def debt_to(self, stream: Stream, life: str) -> Optional[Debt]:
        """Its own, else the one that it may have inherited."""
        own = [debt for debt in self._debts if debt.is_of(stream, life)]
        inherited = [debt for debt in self._orphans if debt.is_inherited_by(stream)]
        begun = [self._begun[stream.key]] if stream.key in self._begun else []
        return next(iter(own + inherited + begun), None)

    def add(self, stream: Stream, life: str, before: Sequence[int] = (),
            after: Sequence[int] = ()) -> None:
        """Is on disk when this returns. What the stream has inherited is a debt to itself now."""
        debt = Debt(life, stream.kind, stream.index, stream.restore_id, before, after)
        self._write([*self._without(stream, life), debt])

    def paid(self, stream: Stream, life: str) -> None:
        self._write(self._without(stream, life))

    def _without(self, stream: Stream, life: str) -> List[Debt]:
        self._begun.pop(stream.key, None)
        inherited = [debt for debt in self._orphans if debt.is_inherited_by(stream)]
        self._orphans = [debt for debt in self._orphans if debt not in inherited]
        return [debt for debt in self._debts
                if not debt.is_of(stream, life) and debt not in inherited]

    def _read(self) -> List[Debt]:
        try:
            return [Debt(**each) for each in kept_file.read(self._path) or []]
        except (OSError, ValueError, TypeError) as error:
            log.warning("%s is damaged (%s): what was muted stays muted; unmute it in the mixer",
                        self._path, error)
            return []

    def _write(self, debts: List[Debt]) -> None:
        self._debts = debts
        kept_file.write(self._path, [dataclasses.asdict(debt) for debt in debts])


class Muter:
    """Mutes streams, and gives back those that it, or a predecessor, has muted. What the user has
    muted stays muted."""

    def __init__(self, debts: Debts) -> None:
        self._debts = debts
        self._mutes: Counter[Tuple[str, int]] = collections.Counter()

    async def settle(self, streams: List[Stream], life: str,
                     to_mute: Collection[Tuple[str, int]]) -> None:
        """Mutes the streams of these kinds and numbers, and gives back the rest.

        Args:
            streams: all that there are.
            life: of the sound server.
        """
        self._debts.see(streams, life)
        present = {stream.key for stream in streams}
        for gone in self._mutes.keys() - present:   # its number may come again, for another one
            del self._mutes[gone]
        for stream in streams:
            if stream.key in to_mute:
                await self._silence(stream, life)
            elif self._debts.is_owed(stream, life):
                await self._give_back(stream, life)

    def owes(self, stream: Stream, life: str) -> bool:
        """Whether a stream is muted because of this program or a predecessor, if it is muted."""
        return self._debts.is_owed(stream, life)

    async def _silence(self, stream: Stream, life: str) -> None:
        if stream.muted:                        # else by the user, who may have it so
            if self._debts.is_heir(stream):
                self._debts.add(stream, life)
            return
        self._mutes[stream.key] += 1
        if self._mutes[stream.key] > MUTES_PER_STREAM:
            if self._mutes[stream.key] == MUTES_PER_STREAM + 1:
                log.warning("%s %d is unmuted again and again, and left alone", *stream.key)
            return
        self._debts.add(stream, life)
        log.info("muting %s %d", *stream.key)
        with contextlib.suppress(NoServer):     # most likely the stream is gone
            await sound_server.set_muted(*stream.key, True)

    async def _give_back(self, stream: Stream, life: str) -> None:
        self._mutes.pop(stream.key, None)
        if stream.muted:
            log.info("giving back %s %d", *stream.key)
            try:
                await sound_server.set_muted(*stream.key, False)
            except NoServer:
                return                          # gone, and perhaps inherited
        elif stream.volumes and not any(stream.volumes):
            return                              # PipeWire shows this until it has restored a stream's mute
        self._debts.paid(stream, life)
