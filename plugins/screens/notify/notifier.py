"""Keeps notifications and sound in step with the calls, and asks for what the user presses."""
from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Coroutine, Dict, List, Optional, Protocol, Set, Tuple, cast

import cards
import live
from apps import Apps
from bus import Bus
from buttons import Buttons
from callbroker import BrokerError, Call, Disconnected, Event, JSON, NotFound
from callbroker_messages import text
from cards import Card
from desktop import Desktop, NoDesktop
from display import Display
from sound.sound import Sound

log = logging.getLogger("callbroker_notify")

MISSED_KEPT = 50                                # notifications whose button still calls back
POOR_REPORTS = 2                                # in a row, before a call is said to be poor
ENDED_KEPT = 16                                 # calls that are over, for what is told of them then


class Follower(Protocol):
    """Shows calls beside the notifications."""

    async def happened(self, event: Event) -> None:
        """Every event; the calls are up to date."""

    def update(self) -> None:
        """What is shown may have to change."""


class Notifier:
    """Keeps what is shown and heard in step with the calls."""

    def __init__(self, screen: Display, bus: Bus, sound: Sound, has_notes: bool = True) -> None:
        self.screen = screen
        self._sound = sound
        self._has_notes = has_notes             # of calls that talk
        self.followers: List[Follower] = []     # show the same calls in their own way
        self._buttons = Buttons(screen)
        self._desktop = Desktop(bus, self._pressed, self._closed, self._restarted)
        self._turn = asyncio.Lock()             # one change of what is shown after the other
        self._shown: Dict[str, Tuple[int, Card]] = {}   # by call
        self._sent_away: Set[str] = set()       # calls whose notification the user closed
        self._later: Set[str] = set()           # calls whose request the user closed
        self._noted: Set[str] = set()           # live calls whose note the user closed
        self._tones: Set[str] = set()           # live calls whose tones wait for the user
        self._under_way: Set[int] = set()       # notes whose button is being carried out
        self._missed: Dict[int, Call] = {}      # by notification, the last of its calls
        self._missed_count: Dict[int, int] = {}
        self._not_called = 0                    # the notification of the last link that was refused
        self._not_done = 0                      # of the last thing that has failed
        self._poor_reports: Dict[str, int] = {}     # by call: poor reports in a row
        self._poor: Dict[str, int] = {}         # by call, the notification of its quality
        self._people: Dict[str, int] = {}       # by call: who takes part in its conference
        self._over: Dict[str, Call] = {}        # the calls that ended last
        self._why_not: Dict[str, str] = {}      # by call: what its last button ran into
        self._apps = Apps()
        self._busy: Set[str] = set()            # calls whose button is being carried out
        self._said = ""
        self._questions: Dict[int, asyncio.Future[str]] = {}    # by notification
        self._tasks: Set[asyncio.Task[None]] = set()
        self._dirty = asyncio.Event()           # what is shown is to be looked at again
        screen.on("ui.present")(self._present)
        screen.on("ui.dismiss")(self._dismiss)
        screen.on("ui.ask")(self._ask)

    async def watch(self) -> None:
        """Until the connection is closed."""
        async for event in self.screen:
            try:
                await self._happened(event)
            except (BrokerError, Disconnected) as error:
                log.info("left undone: %s", error)

    async def draw(self) -> None:
        """Shows what there is, again and again. A desktop that hangs keeps nothing else waiting."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            async with self._turn:
                await self._draw(self._wanted())

    async def leave(self) -> None:
        """Takes away what needs us, and is silent; what was missed stays to be read."""
        await self._sound.leave()
        async with self._turn:
            shown, self._shown = self._shown, {}
            for number, _ in shown.values():
                await self._desktop.close(number)

    # ---- What happens

    async def _happened(self, event: Event) -> None:
        topic, data = event["topic"], event.get("data", {})
        for follower in self.followers:
            await follower.happened(event)
        await self._apps.follow(self.screen, event)
        if topic == "snapshot":
            await self._learn_people()
            await self._sound.learn()
        elif topic == "policy.changed":
            await self._sound.learn()
        elif topic == "host.changed":
            await self._read_again()
        elif topic == "history.changed" and data["missed"] == 0:
            self._do(self._seen_elsewhere())
        elif topic == "call.changed" and data["state"] == "ended":
            self._ended(data)                   # type: ignore[arg-type]
        elif topic == "call.quality":
            self._measured(data)
        elif topic == "call.participants":
            self._people[data["call"]] = data["count"]
        elif topic == "call.dial_refused" and cards.is_of_the_user(data):
            if "transaction" not in data:       # else it was shown when that was over
                self._do(self._show_not_called(data))
        elif topic == "transaction.completed" and cards.is_not_done(data):
            if not self._buttons.has_sent(data.get("transaction")):
                self._do(self._show_not_done(data))
        self._update()

    async def _present(self, params: JSON) -> JSON:
        id, suggested = params["call"], params.get("suggested")
        call = cast(Call, params)
        if not cards.is_at_the_door(call) and not (self._shows_live() and live.is_live(call)):
            if self.screen.presented is not None:
                self.screen.presented.discard(id)
            return {"presented": False}         # for another screen
        known = self.screen.calls.get(id)       # from its event, or the snapshot that comes
        if known is not None and suggested and not known.get("caller"):
            known["caller"] = suggested
        self._update()
        return {"presented": True}

    async def _dismiss(self, params: JSON) -> None:
        if self.screen.presented is None or params.get("reason") == "ended":
            return                              # how it ended is an event
        self.screen.presented.discard(params["call"])
        self._update()

    async def _ask(self, params: JSON) -> JSON:
        """What the user answers; `later` without a desktop. A question that is over is cancelled."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        async with self._turn:
            number = await self._show(cards.question(params))
            self._questions[number] = answer
        try:
            return {"answer": await answer if number else cards.LATER}
        finally:
            self._questions.pop(number, None)
            await self._desktop.close(number)

    def _answer(self, number: int, answer: str) -> bool:
        """Whether the notification is a question."""
        question = self._questions.pop(number, None)
        if question is not None and not question.done():
            question.set_result(answer)
        return question is not None

    async def _learn_people(self) -> None:
        self._people = {}
        for id in [call["call"] for call in self._live()]:
            with contextlib.suppress(NotFound):
                page = await self.screen.list_participants(id, limit=1)
                self._people[id] = page["count"]

    async def _read_again(self) -> None:
        """What a call allows changes with other calls, and that is no event of its own."""
        for id in [call["call"] for call in self._at_the_door() + self._live()]:
            try:
                call = await self.screen.get_call(call=id)
            except NotFound:
                continue
            known = self.screen.calls.get(id)
            if known is not None and call.get("rev", 0) >= known.get("rev", 0):
                self.screen.calls[id] = {**known, **call}   # type: ignore[typeddict-item]

    # ---- What is shown and heard

    def _is_ours(self, call: Call) -> bool:
        return self.screen.presented is None or call["call"] in self.screen.presented

    def _at_the_door(self) -> List[Call]:
        return [call for call in self.screen.calls.values() if cards.is_at_the_door(call)
                and self._is_ours(call) and call["call"] not in self._busy]

    def _shows_live(self) -> bool:
        return self._has_notes and bool(self.screen.option("in_call", True))

    def _live(self) -> List[Call]:
        """The calls that have a note."""
        calls = [call for call in self.screen.calls.values() if live.is_live(call)]
        self._noted &= {call["call"] for call in calls}
        tones = {call["call"] for call in calls if live.wants_the_user(call)}
        self._noted -= tones - self._tones      # what is new is shown, also if the note was closed
        self._tones = tones
        return [call for call in calls if self._is_ours(call)] if self._shows_live() else []

    def _app(self, call: Call) -> str:
        app = self._apps.get(call["provider"], {})
        return str(app.get("display_name", call["provider"]))

    def _update(self) -> None:
        """Brings the sound to where the calls are, and soon the desktop."""
        self._sound.update(self._at_the_door(), self._apps)
        self._dirty.set()
        for follower in self.followers:
            follower.update()

    async def _draw(self, wanted: Dict[str, Card]) -> None:
        for id in [id for id in self._shown if id not in wanted]:
            number, _ = self._shown.pop(id)
            await self._desktop.close(number)
        for id, card in wanted.items():
            number, before = self._shown.get(id, (0, None))
            if card != before:
                number = await self._show(card, number)
                if number:
                    self._shown[id] = (number, card)

    def _wanted(self) -> Dict[str, Card]:
        """By call. What the other side asks for stands in place of the note of its call."""
        notes = [call for call in self._live() if call["call"] not in self._noted]
        asking = [call for call in self._asking() if call["call"] not in self._later]
        shown = {call["call"]: live.card(call, self._app(call), self._why_not.get(call["call"], ""),
                                         self._people.get(call["call"], 0)) for call in notes
                 } | {call["call"]: cards.request(call, self._app(call),
                                                  self._why_not.get(call["call"], ""))
                      for call in asking} | self.ringing()
        return {id: self._pictured(id, card) for id, card in shown.items()}

    def _pictured(self, id: str, card: Card) -> Card:
        """The card with the icon of the call's app."""
        call = self.screen.calls.get(id)
        return cards.pictured(card, self._apps.get(call["provider"], {})) if call else card

    def ringing(self) -> Dict[str, Card]:
        """The cards of the calls that the user has still to decide about, and has not sent away."""
        return {call["call"]: cards.incoming(call, self._app(call),
                                             self._why_not.get(call["call"], ""))
                for call in self._at_the_door() if call["call"] not in self._sent_away}

    async def send_away(self, id: str) -> None:
        """Shows a call no longer, and silences it; it can be answered still."""
        self._sent_away.add(id)
        self._update()
        await self._silence(id)

    def _asking(self) -> List[Call]:
        """Of a live call, which needs no screen that presents it."""
        asking = [call for call in self.screen.calls.values() if cards.asks(call)]
        self._later &= {call["call"] for call in asking}
        return [call for call in asking if call["call"] not in self._busy]

    async def _show(self, card: Card, instead_of: int = 0) -> int:
        """The notification's number; 0 without a desktop, which is said once."""
        try:
            number = await self._desktop.show(card, instead_of)
        except NoDesktop as problem:
            if not self._said:
                log.warning("calls are not shown, only heard: %s", problem)
            self._said = str(problem)
            return 0
        self._said = ""
        return number

    def _ended(self, call: Call) -> None:
        id = call["call"]
        self._sent_away.discard(id)
        self._why_not.pop(id, None)
        self._poor_reports.pop(id, None)
        self._people.pop(id, None)
        number = self._poor.pop(id, 0)
        if number:
            self._do(self._close_poor(number))
        known = {**self.screen.calls.get(id, {}), **call}
        self._over[id] = known                  # type: ignore[assignment]
        while len(self._over) > ENDED_KEPT:
            del self._over[next(iter(self._over))]
        recent = self._apps.get(call["provider"], {}).get("includes_in_recents", True)
        is_ours = self._is_ours(call) or id in self.screen.former
        if is_ours:
            self._sound.ended(known)            # type: ignore[arg-type]
        if self.screen.presented is not None:
            self.screen.presented.discard(id)
        if cards.is_missed(call) and recent and is_ours:
            self._do(self._show_missed(known))  # type: ignore[arg-type]

    def _measured(self, quality: JSON) -> None:
        """Tells once of each call that it is poor: one report may be a hiccup."""
        id = quality["call"]
        call = self.screen.calls.get(id)
        if call is None or call["state"] == "ended":
            return
        self._poor_reports[id] = self._poor_reports.get(id, 0) + 1 if cards.is_poor(quality) else 0
        if self._poor_reports[id] >= POOR_REPORTS and id not in self._poor:
            self._poor[id] = 0
            self._do(self._show_poor(call, quality))

    async def _show_poor(self, call: Call, quality: JSON) -> None:
        async with self._turn:
            number = await self._show(cards.poor(call, self._app(call), quality))
            if call["call"] in self._poor:
                self._poor[call["call"]] = number
            else:                               # it is over meanwhile
                await self._desktop.close(number)

    async def _close_poor(self, number: int) -> None:
        async with self._turn:
            await self._desktop.close(number)

    async def _show_missed(self, call: Call) -> None:
        """One notification for each caller, with a count."""
        async with self._turn:
            number = next((number for number, other in self._missed.items()
                           if cards.number(call) and cards.number(other) == cards.number(call)
                           and other["provider"] == call["provider"]), 0)
            count = self._missed_count.pop(number, 0) + 1
            self._missed.pop(number, None)
            number = await self._show(cards.missed(call, self._app(call), count), number)
            if number:
                self._missed[number], self._missed_count[number] = call, count
            while len(self._missed) > MISSED_KEPT:
                oldest = next(iter(self._missed))
                del self._missed[oldest], self._missed_count[oldest]

    async def _show_not_called(self, refused: JSON) -> None:
        """The latest only: a page may follow its links by itself."""
        async with self._turn:
            self._not_called = await self._show(cards.not_called(refused), self._not_called)

    async def _show_not_done(self, completed: JSON) -> None:
        """The latest only."""
        id = cards.asked_for(completed).get("call", "")
        call = self.screen.calls.get(id) or self._over.get(id)
        async with self._turn:
            card = cards.not_done(completed, call, self._app(call) if call else "")
            self._not_done = await self._show(card, self._not_done)

    async def _seen_elsewhere(self) -> None:
        """The user has looked at the history."""
        async with self._turn:
            for number in self._missed:
                await self._desktop.close(number)
            self._missed.clear()
            self._missed_count.clear()

    # ---- What the user does

    def _pressed(self, number: int, button: str) -> None:
        self._do(self._press(number, button))

    def _closed(self, number: int, by_user: bool) -> None:
        id = self._call_of(number)
        if id is not None and number in self._under_way:
            del self._shown[id]                 # a server that closes what was pressed
            return self._dirty.set()
        self._do(self._gone(number, by_user))

    def _call_of(self, number: int) -> Optional[str]:
        return next((id for id, (shown, _) in self._shown.items() if shown == number), None)

    def _restarted(self) -> None:
        """Another server shows nothing yet."""
        self._shown.clear()
        self._missed.clear()
        self._missed_count.clear()
        self._not_called = self._not_done = 0
        for number in list(self._questions):
            self._answer(number, cards.LATER)
        self._update()

    async def _press(self, number: int, button: str) -> None:
        """The server takes away what was pressed; it comes back if that changed nothing."""
        async with self._turn:                  # the number of what is being shown is known then
            if self._answer(number, button):
                return
            id, missed = self._call_of(number), self._missed.get(number)
            if id is not None and self._shown[id][1].stays:
                self._under_way.add(number)
            elif id is not None:
                del self._shown[id]
                self._busy.add(id)
                await self._desktop.close(number)
        try:
            if id is not None:
                await self.press(id, button)
            elif missed is not None and button == cards.CALL_BACK:
                await self._buttons.call_back(missed)
        except (BrokerError, Disconnected) as error:
            await self._explain(None, button, error)
        finally:
            self._busy.discard(id or "")
        self._update()
        if number in self._under_way:
            await self._desktop.settle()
            self._under_way.discard(number)

    async def press(self, id: str, button: str) -> None:
        """A button of a call, wherever it was; why it did nothing is shown."""
        self._why_not.pop(id, None)
        try:
            await self._buttons.press(id, button)
        except (BrokerError, Disconnected) as error:
            await self._explain(id, button, error)
        self._update()

    async def _explain(self, id: Optional[str], button: str, error: Exception) -> None:
        """Whoever presses a button and sees nothing happen is told why."""
        call = self.screen.calls.get(id) if id is not None else None
        if call is not None and self._is_explained(call):
            self._why_not[call["call"]] = cards.shown(why(error))
        else:
            await self.fail(cards.label(button), error)

    async def fail(self, button: str, error: Exception) -> None:
        """A notification of its own, that what the button is for was not done."""
        async with self._turn:
            title = text("screen.button_not_done", button=button)
            await self._show(cards.failed(title, why(error)))

    def _is_explained(self, call: Call) -> bool:
        """Whether a card of the call has room for why its button did nothing."""
        has_note = call in self._live() and call["call"] not in self._noted
        return cards.is_at_the_door(call) or cards.asks(call) or has_note

    async def _gone(self, number: int, by_user: bool) -> None:
        """A notification that the user sends away silences its call; it can be answered still."""
        async with self._turn:
            self._answer(number, cards.LATER)
            id = self._call_of(number)
            self._missed.pop(number, None)
            self._missed_count.pop(number, None)
            if number in self._poor.values():
                self._poor = {id: 0 if shown == number else shown for id, shown in self._poor.items()}
            if number == self._not_called:
                self._not_called = 0
            if number == self._not_done:
                self._not_done = 0
            if id is None:
                return
            del self._shown[id]
            if number in self._under_way:       # the press of its button came with that
                return self._dirty.set()
            call = self.screen.calls.get(id)
            is_request = call is not None and cards.asks(call)
            is_note = call is not None and live.is_live(call)
            (self._later if is_request else self._noted if is_note else self._sent_away).add(id)
        self._update()                          # the note is behind a request
        if by_user and not is_request and not is_note:
            await self._silence(id)

    async def _silence(self, id: str) -> None:
        try:
            await self.screen.silence(id)
        except (BrokerError, Disconnected) as error:
            log.info("not silenced: %s", error)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def why(error: Exception) -> str:
    """What a request ran into, for the user."""
    if isinstance(error, BrokerError):
        return cards.why({"message": str(error.args[0]), "data": error.data})
    return text("screen.broker_gone")
