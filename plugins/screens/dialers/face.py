"""The modem on the bus: an object for each call of the broker, and what dialers ask of them."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Awaitable, Callable, Dict, List, Optional, Tuple

from dbus_fast import Variant

from callbroker import (BrokerError, Call, Controller, Disconnected, Event, JSON, Observer, Reply,
                        Requested, new_id)
from exported import SENDER, Exported, Interface, Method, Refused
from gateway import Gateway
from modem import (CALL, ERROR, INVALID, MODEM, MODEM_PATH, NO_REASON, NO_SUCH, OUTGOING, ROOT,
                   SIM_PATH, TERMINATED, UNKNOWN, UNSUPPORTED, VOICE, WRONG_STATE, manager, modem,
                   network, refused, sim)
from second_calls import WHY, SecondCalls
from shown import LIVE, Shown, dialed, handle

log = logging.getLogger("dialers")

TOPICS = ("call.*", "provider.*")
ENDED_SECONDS = 5.0                             # for a dialer to read how a call ended
DRAFTS = 16                                     # calls that were created and not started
AT_THE_DOOR = ("waiting", "ringing")
NOT_SHOWN = ("external", "ending", "ended")     # unless it was shown before
CALL_WAITING = "call_waiting"


class User(Controller, Observer):
    """The connection to the broker, which says when it opens and when it is lost."""

    roles = ("controller", "observer")
    face: Optional[Face] = None

    async def _opened(self) -> None:
        apps = self.request("provider.list", {}, opening=True)
        await super()._opened()
        if self.face is not None:
            self.face.appear()
            await self.face.learn_apps(apps)

    def _lost(self) -> None:
        super()._lost()
        if self.face is not None:
            self.face.disappear()


class Face:
    """The modem and its calls. They are there exactly while the broker is: what cannot be driven is
    not shown."""

    def __init__(self, user: User, exported: Exported) -> None:
        self._user, self._exported = user, exported
        self._is_there = False
        self._shown: Dict[str, Shown] = {}      # by path
        self._apps: Dict[str, JSON] = {}
        self._numbers = 0
        self._second = SecondCalls()
        self._gateway = Gateway(exported)
        exported.add(ROOT, manager())
        exported.on_read = self._read_by
        exported.on_listed = self._listed_to
        user.face = self

    async def watch(self) -> None:
        """Follows the calls until the connection is closed for good."""
        async for event in self._user:
            try:
                await self._happened(event)
            except (BrokerError, Disconnected) as error:
                log.info("left undone: %s", error)

    # ---- Coming and going

    def appear(self) -> None:
        """Shows the modem with the calls that the broker has. They are there before it is: dialers
        read them once, and get no signal for each."""
        self._read_all()
        if not self._is_there:
            self._exported.add(SIM_PATH, sim())
            self._exported.add(MODEM_PATH, modem(self._no_bearers), network(), self._voice(),
                               managed=True)
            self._is_there = True
            self._gateway.show(self._shown.values())
            log.info("the modem is there")

    def disappear(self) -> None:
        """Takes the calls away, then the modem."""
        if self._is_there:
            for shown in list(self._shown.values()):
                self._remove(shown)
            self._is_there = False
            self._second.forget()
            self._exported.remove(MODEM_PATH)
            self._exported.remove(SIM_PATH)

    async def _happened(self, event: Event) -> None:
        topic, data = event["topic"], event.get("data", {})
        if topic.startswith("provider."):
            await self.learn_apps(self._user.list_providers())
        if not self._is_there:
            return
        if topic == "snapshot":
            self._read_all()
        elif topic == "call.changed" and data.get("state") == "ended":
            self._read(data)                    # type: ignore[arg-type]
        elif topic in ("call.added", "call.changed") and data.get("call") in self._user.calls:
            self._read(self._user.calls[data["call"]])
            self._read_group(data)
        elif topic == "call.removed":
            self._end(self._find(str(data.get("call"))), NO_REASON)

    async def learn_apps(self, reply: Reply[JSON]) -> None:
        """Reads the lines of the apps, from a first page on that was asked for."""
        page = await reply
        apps = {app["provider"]: app for app in page.get("providers", [])}
        while page.get("next") is not None:
            page = await self._user.request("provider.list", {"after": page["next"]}, opening=True)
            apps.update({app["provider"]: app for app in page.get("providers", [])})
        self._apps = apps
        if self._is_there:
            self._exported.set(MODEM_PATH, MODEM, OwnNumbers=self._own_numbers())

    def _lines(self) -> List[Tuple[str, JSON]]:
        return [(provider, line) for provider, app in self._apps.items()
                for line in app.get("lines", [])]

    def _own_numbers(self) -> List[str]:
        handles = [line.get("handle") or {} for _, line in self._lines()]
        return sorted({each["value"] for each in handles if each.get("type") == "phone"})

    # ---- Calls

    def _find(self, call: str) -> Optional[Shown]:
        return next((shown for shown in self._shown.values() if shown.call == call), None)

    def _read_all(self) -> None:
        for shown in list(self._shown.values()):
            if shown.call is not None and shown.call not in self._user.calls:
                self._end(shown, NO_REASON)
        for call in list(self._user.calls.values()):
            self._read(call)

    def _read_group(self, data: JSON) -> None:
        """The others of a group, where one has joined or left it."""
        if "group" in data.get("changed", ()):
            for call in list(self._user.calls.values()):
                if self._find(call["call"]) is not None:
                    self._read(call)

    def _read(self, call: Call) -> None:
        shown = self._find(call["call"])
        if shown is None:
            if call["state"] in NOT_SHOWN:
                return
            shown = Shown.of(self._next_path(), call)
            shown.read(call, self._is_joined(call))
            self._add(shown)
        elif shown.state != TERMINATED:
            shown.read(call, self._is_joined(call))
            self._publish(shown)

    def _is_joined(self, call: Call) -> bool:
        return any(other.get("group") == call.get("group") and other["call"] != call["call"]
                   for other in self._user.calls.values())

    def _next_path(self) -> str:
        """A path that no call had before: dialers keep what they know of one."""
        self._numbers += 1
        return f"{ROOT}/Call/{self._numbers - 1}"

    def _add(self, shown: Shown) -> None:
        """The list of calls goes first: GNOME Calls looks for a call that is added in there."""
        self._shown[shown.path] = shown
        self._exported.add(shown.path, self._call(shown))
        if self._is_there:
            self._publish_list()
            self._exported.emit(MODEM_PATH, VOICE, "CallAdded", shown.path)
            if shown.state == UNKNOWN:
                self._gateway.remove(shown)

    def _publish(self, shown: Shown) -> None:
        if shown.hang_ups:
            return
        former = self._exported.get(shown.path, CALL, "State")
        self._exported.set(shown.path, CALL, **shown.properties())
        if shown.state != former:
            if former == UNKNOWN:
                self._gateway.show([shown])
            self._exported.emit(shown.path, CALL, "StateChanged", former, shown.state, shown.reason)
            if shown.state == TERMINATED:
                self._gateway.remove(shown)
                asyncio.get_running_loop().call_later(ENDED_SECONDS, self._remove, shown)

    def _end(self, shown: Optional[Shown], reason: int) -> None:
        if shown is not None and shown.state != TERMINATED:
            shown.state, shown.reason = TERMINATED, reason
            self._publish(shown)

    def _remove(self, shown: Shown) -> None:
        """Removes a call, unless its dialer has done so."""
        if self._shown.pop(shown.path, None) is not None:
            self._second.removed(shown.path)
            self._publish_list()
            self._exported.emit(MODEM_PATH, VOICE, "CallDeleted", shown.path)
            self._exported.remove(shown.path)

    def _publish_list(self) -> None:
        self._exported.set(MODEM_PATH, VOICE, Calls=list(self._shown))

    # ---- What dialers ask of the modem

    def _voice(self) -> Interface:
        properties = {"Calls": Variant("ao", list(self._shown)),
                      "EmergencyOnly": Variant("b", False)}
        return Interface(VOICE, properties, {
            "ListCalls": Method("", "ao", self._list_calls),
            "CreateCall": Method("a{sv}", "o", self._create),
            "DeleteCall": Method("o", "", self._asks(self._delete)),
            "HoldAndAccept": Method("", "", self._asks(self._hold_and_accept)),
            "HangupAndAccept": Method("", "", self._asks(self._hang_up_and_accept)),
            "HangupAll": Method("", "", self._asks(self._hang_up_all)),
            "Transfer": Method("", "", self._asks(self._transfer)),
            "CallWaitingSetup": Method("b", "", self._asks(self._set_call_waiting)),
            "CallWaitingQuery": Method("", "b", self._asks(self._call_waiting))}, {
                "CallAdded": "o", "CallDeleted": "o"})

    @staticmethod
    def _asks(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A method whose refusals by the broker are told in the words of ModemManager."""
        async def perform(*values: Any) -> Any:
            try:
                return await work(*values)
            except (BrokerError, Disconnected) as error:
                raise refused(error) from None
        return perform

    async def _no_bearers(self) -> List[str]:
        return []

    async def _list_calls(self) -> List[str]:
        return list(self._shown)

    async def _create(self, properties: Dict[str, Variant]) -> str:
        number = properties.get("number")
        if number is None or not isinstance(number.value, str):
            raise Refused(INVALID, "a call needs a number")
        dialed(number.value)
        drafts = [shown for shown in self._shown.values() if shown.call is None]
        if len(drafts) >= DRAFTS:
            self._remove(drafts[0])
        shown = Shown(self._next_path(), None, OUTGOING, number.value)
        self._add(shown)
        if self._gateway.is_asking():
            await self._asks(self._start)(shown)
        return shown.path

    async def _delete(self, path: str) -> None:
        """Deletes a call; one that goes on is hung up first."""
        shown = self._shown.get(path)
        if shown is None:
            raise Refused(NO_SUCH, f"there is no call {path}")
        if shown.call is not None and shown.state != TERMINATED:
            await self._user.end(shown.call, wait="completed")
        self._remove(shown)

    def _listed_to(self, sender: str, program: str) -> None:
        if self._gateway.read(sender, program) and self._is_there:
            self._gateway.show(self._shown.values())

    def _read_by(self, sender: str, program: str, path: str) -> None:
        if path in self._shown:
            self._second.read(sender, program, path)

    def _calls(self, *states: str) -> List[Call]:
        """The calls in these states, the latest first."""
        found = [call for call in self._user.calls.values() if call["state"] in states]
        return sorted(found, key=lambda call: (states.index(call["state"]),
                                               -call.get("created_at_ms", 0)))

    async def _hold_and_accept(self) -> None:
        """Answers the call that waits; without one swaps, resumes or holds what there is."""
        at_the_door, live, held = (self._calls(*states) for states in (
            AT_THE_DOOR, LIVE, ("held",)))
        if at_the_door:                         # a plain answer holds the live call
            await self._user.answer(at_the_door[0]["call"], wait="completed")
        elif live and held:
            await self._user.swap(held[0]["call"], wait="completed")
        elif live or held:
            await self._user.set_held((live or held)[0]["call"], not held, wait="completed")
        else:
            raise Refused(WRONG_STATE, "there is no call to hold or to accept")

    async def _hang_up_and_accept(self) -> None:
        """Ends the live calls, and answers the one that waits, or resumes the held one."""
        at_the_door, live, held = (self._calls(*states) for states in (
            AT_THE_DOOR, LIVE, ("held",)))
        if at_the_door:
            await self._user.answer(at_the_door[0]["call"], "end_and_answer" if live else None,
                                    wait="completed")
        elif held:
            ends: List[Requested] = [{"kind": "end", "call": call["call"]} for call in live]
            resume: Requested = {"kind": "set_held", "call": held[0]["call"],
                                 "arguments": {"held": False}}
            await self._user.transact([*ends, resume], wait="completed")
        else:
            raise Refused(WRONG_STATE, "there is no call to accept")

    async def _hang_up_all(self) -> None:
        replies = [self._user.end(shown.call, wait="completed") for shown in self._shown.values()
                   if shown.call is not None and shown.state != TERMINATED]
        for reply in replies:
            await reply

    async def _transfer(self) -> None:
        live, held = self._calls("active"), self._calls("held")
        if not live or not held:
            raise Refused(WRONG_STATE, "a transfer joins an active call and a held one")
        await self._user.attended_transfer(live[0]["call"], held[0]["call"], wait="completed")

    def _waiting_settings(self) -> List[Tuple[str, str, bool]]:
        settings = [(provider, line["line"], setting["on"]) for provider, line in self._lines()
                    for setting in line.get("settings", []) if setting["setting"] == CALL_WAITING]
        if not settings:
            raise Refused(UNSUPPORTED, "no app has a line whose call waiting can be changed")
        return settings

    async def _set_call_waiting(self, on: bool) -> None:
        for provider, line, _ in self._waiting_settings():
            await self._user.set_line_setting(provider, line, CALL_WAITING, on)

    async def _call_waiting(self) -> bool:
        return all(on for _, _, on in self._waiting_settings())

    # ---- What they ask of a call

    def _call(self, shown: Shown) -> Interface:
        def method(takes: str, work: Callable[..., Awaitable[Any]]) -> Method:
            async def perform(*values: Any) -> Any:
                return await self._asks(work)(shown, *values)
            return Method(takes, "", perform)

        # The state goes last: a gateway rings when it reads it, with what it has read by then.
        return Interface(CALL, {
            "Direction": Variant("i", shown.direction), "Number": Variant("s", shown.printed),
            "State": Variant("i", shown.state), "StateReason": Variant("i", shown.reason),
            "Multiparty": Variant("b", shown.is_joined), "AudioPort": Variant("s", ""),
            "AudioFormat": Variant("a{sv}", {})}, {
                "Start": method("", self._start), "Accept": method("", self._accept),
                "Hangup": method("", self._hang_up), "SendDtmf": method("s", self._play_dtmf),
                "Deflect": method("s", self._deflect),
                "JoinMultiparty": method("", self._join),
                "LeaveMultiparty": method("", self._leave)}, {
                    "StateChanged": "iiu", "DtmfReceived": "s"})

    @staticmethod
    def _id(shown: Shown) -> str:
        if shown.call is None or shown.state == TERMINATED:
            raise Refused(WRONG_STATE, "the call is over" if shown.call else
                          "the call has not been started")
        return shown.call

    async def _start(self, shown: Shown) -> None:
        if shown.call is not None or shown.state != UNKNOWN:
            raise Refused(WRONG_STATE, "the call was started already")
        shown.call = new_id()
        try:
            await self._user.request("call.dial", {
                "uri": dialed(shown.number), "call": shown.call, "wait": "completed"})
        except (BrokerError, Disconnected):
            self._end(shown, ERROR)             # unless it is known how it ended
            raise

    async def _accept(self, shown: Shown) -> None:
        await self._user.answer(self._id(shown), wait="completed")

    async def _hang_up(self, shown: Shown) -> None:
        if self._second.is_expected(SENDER.get(), shown.path):
            raise Refused(WRONG_STATE, WHY)
        if shown.call is None:
            return self._end(shown, NO_REASON)
        call = self._id(shown)
        self._answer_first(shown)
        await self._user.end(call, wait="completed")

    def _answer_first(self, shown: Shown) -> None:
        """Publishes nothing of a call until its hang-up is answered: when a gateway sees that a
        call is over it forgets what it has asked of it, and its headset gets no result."""
        def answered(_: object) -> None:
            shown.hang_ups -= 1
            if self._shown.get(shown.path) is shown:
                self._publish(shown)

        task = asyncio.current_task()
        if task is not None:                    # it ends when the reply has been sent
            shown.hang_ups += 1
            task.add_done_callback(answered)

    async def _play_dtmf(self, shown: Shown, digits: str) -> None:
        await self._user.play_dtmf(self._id(shown), digits, wait="completed")

    async def _deflect(self, shown: Shown, number: str) -> None:
        await self._user.deflect(self._id(shown), handle(number), wait="completed")

    async def _join(self, shown: Shown) -> None:
        """Joins the live group, or the only one that the call can be merged with."""
        call = self._user.calls.get(self._id(shown), {})
        groups = call.get("merge_with", [])
        live = [each.get("group", "") for each in self._calls(*LIVE)]
        group = next((each for each in groups if each in live), groups[0] if groups else None)
        if group is None:
            raise Refused(WRONG_STATE, "there is no other call of this app to join")
        await self._user.merge(self._id(shown), group, wait="completed")

    async def _leave(self, shown: Shown) -> None:
        await self._user.split(self._id(shown), wait="completed")
