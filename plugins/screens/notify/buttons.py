"""What a button of a call asks of the broker."""
from __future__ import annotations

from typing import Any, Dict, Optional

import cards
from callbroker import Call, new_id
from display import Display

OWN_KEPT = 64                                   # transactions of our own buttons

# The verbs of `allowed` that are one request with the call alone.
HELD = {"hold": True, "resume": False}
MUTED = {"mute": True, "unmute": False}
ANSWERS = ("answer", "hold_and_answer", "end_and_answer", "end_held_and_answer")


class Buttons:
    """Each press is a transaction of ours, as `has_sent` says: its reply tells of its failure."""

    def __init__(self, screen: Display) -> None:
        self._screen = screen
        self._own: Dict[str, bool] = {}

    def has_sent(self, transaction: Optional[str]) -> bool:
        return transaction in self._own

    async def press(self, id: str, button: str) -> None:
        """Returns when it is done. `BrokerError` and `Disconnected` if it is not."""
        screen = self._screen
        if button in ("decline", "end"):
            await screen.end(id, **self._completed())
        elif button == "silence":
            await screen.silence(id)
        elif button in HELD:
            await screen.set_held(id, HELD[button], **self._completed())
        elif button in MUTED:
            await screen.set_muted(id, MUTED[button], **self._completed())
        elif button in (cards.CONTINUE_TONES, cards.DROP_TONES):
            await screen.continue_tones(id, send=button == cards.CONTINUE_TONES)
        elif button in ANSWERS:
            choice = None if button == "answer" else button
            await screen.answer(id, choice, **self._completed())
        else:
            await self._decide(id, button)

    async def _decide(self, id: str, button: str) -> None:
        """About video or text that the other side asks for."""
        call = self._screen.calls.get(id)
        if button in (cards.ACCEPT_VIDEO, cards.DECLINE_VIDEO) and call is not None:
            await self._screen.set_video(id, cards.video(call, button), **self._completed())
        elif button in (cards.ACCEPT_TEXT, cards.DECLINE_TEXT):
            await self._screen.set_text(id, button == cards.ACCEPT_TEXT, **self._completed())

    async def call_back(self, missed: Call) -> None:
        await self._screen.start(missed["remote"], provider=missed["provider"], **self._completed())

    def _completed(self) -> Dict[str, Any]:
        own = new_id()
        self._own[own] = True
        while len(self._own) > OWN_KEPT:
            del self._own[next(iter(self._own))]
        return {"wait": "completed", "transaction": own}
