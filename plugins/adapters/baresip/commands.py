"""Commands for one call of baresip, which knows commands for its current call alone."""
from __future__ import annotations

import asyncio
from typing import List, Optional, Set, Tuple

from accounts import Accounts
from callbroker import Failed
from ctrl_tcp import ControlPort, listed_calls
from leg import SipLeg, handle


class Commands:
    """Selects what a command is for, and sends both together."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self.port: Optional[ControlPort] = None         # of the latest connection
        self.turn = asyncio.Lock()              # commands work on "the current call"
        self._given_up: Set[str] = set()        # addresses of dials that may still happen

    def selecting(self, aor: str) -> List[Tuple[str, Optional[str]]]:
        """The command that makes an account the current one, where there are several."""
        return [("uafind", aor)] if aor and len(self._accounts.addresses) > 1 else []

    async def on(self, leg: SipLeg, command: str, params: Optional[str] = None) -> str:
        """A command for one call. baresip's commands work on the current one of the current
        account, so both are set."""
        async with self.turn:
            return await self.on_current(leg, command, params)

    async def on_current(self, leg: SipLeg, command: str, params: Optional[str] = None) -> str:
        """Once to see whether it is there, and once more in one breath with the command: a call
        that comes in between becomes the current one, and would be hung up instead."""
        if self.port is None:
            raise ConnectionError("baresip is gone")
        selecting = [*self.selecting(leg.aor), ("callfind", leg.id)]
        *_, found = await self.port.commands(*selecting)
        if "setting current call" in found:
            *_, found, answer = await self.port.commands(*selecting, (command, params))
        if "setting current call" not in found:
            raise Failed("call_ended", "baresip does not know the call any more")
        return answer

    async def dial(self, aor: str, address: str) -> None:
        """Dials once it is seen that baresip moves: what it gets while it hangs it would do later,
        when nobody wants it any more. A dial that it gets just then is remembered."""
        if self.port is None:
            raise ConnectionError("baresip is gone")
        await self.port.command("listcalls")
        try:
            await self.port.commands(*self.selecting(aor), ("dial", address))
        except (asyncio.CancelledError, ConnectionError):
            self._given_up.add(handle(address)["value"])
            raise

    def has_given_up(self, address: str) -> bool:
        """Whether a call to the address comes of a dial that has failed before."""
        is_given_up = address in self._given_up
        self._given_up.discard(address)
        return is_given_up

    async def is_marked_held(self, leg: SipLeg) -> bool:
        """Whether it is held as baresip sees it; the far end may not have agreed."""
        text = await self.on(leg, "listcalls")
        return any(listed.is_held for listed in listed_calls(text) if listed.is_current)
