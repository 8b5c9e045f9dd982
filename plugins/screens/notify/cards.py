"""What the user sees and hears of a call: decided from the call alone, nothing is done here."""
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Iterable, List, Optional, Sequence, Tuple

from callbroker import JSON, Call
from callbroker_messages import text, translated
from remote_party import from_left, name, number, shown

VERBS = ("answer", "hold_and_answer", "end_and_answer", "end_held_and_answer", "silence", "decline")
CALL_BACK = "call_back"
ACCEPT_VIDEO, DECLINE_VIDEO = "accept_video", "decline_video"
ACCEPT_TEXT, DECLINE_TEXT = "accept_text", "decline_text"
ALLOW, DENY, LATER = "allow", "deny", "later"   # the answers to a question
LIVE_VERBS = ("end", "mute", "unmute", "hold", "resume")
CONTINUE_TONES, DROP_TONES = "continue_tones", "drop_tones"
BUTTONS = (*VERBS, *LIVE_VERBS, CONTINUE_TONES, DROP_TONES, ACCEPT_VIDEO, DECLINE_VIDEO, ACCEPT_TEXT, DECLINE_TEXT, CALL_BACK,
           ALLOW, DENY, LATER)
"""Every button that a notification may have, each of which a test presses."""


@dataclasses.dataclass(frozen=True)
class Card:
    """One notification."""

    summary: str
    body: str
    actions: Tuple[Tuple[str, str], ...] = ()   # what is meant, and what the button says
    category: str = "call.incoming"
    is_urgent: bool = True
    icon: str = "call-start"
    stays: bool = False                         # until it is taken away; a button does not close it


def pictured(card: Card, app: JSON) -> Card:
    """The card with the icon that the app has registered: a name of the desktop's icons, or a file
    that is there."""
    icon = str(app.get("icon") or "")
    if "/" in icon:
        path = Path(icon)
        icon = path.as_uri() if path.is_absolute() and path.is_file() else ""
    return dataclasses.replace(card, icon=icon) if icon else card


def label(button: str) -> str:
    """What a button says, which is one of `BUTTONS`."""
    return text("screen.button." + BUTTONS[BUTTONS.index(button)])


def is_at_the_door(call: Call) -> bool:
    """Whether the user has still to decide about it."""
    return (call["state"] in ("ringing", "waiting")
            and call.get("pending_action") not in ("answering", "ending"))


def actions(allowed: Sequence[str]) -> Tuple[Tuple[str, str], ...]:
    """The buttons of a call that rings; a plain answer only where it says all there is to say."""
    verbs = [verb for verb in VERBS if verb in allowed]
    if "hold_and_answer" in verbs and "answer" in verbs:
        verbs.remove("answer")                  # they mean the same
    return tuple((verb, label(verb)) for verb in verbs)


def details(call: Call, app: str) -> str:
    """Number, label, for whom it was meant, and app, as far as they say more than the name."""
    known_as = shown((call.get("caller") or {}).get("label"))
    is_doubtful = call.get("verification") == "failed"
    meant_for = shown((call.get("forwarded_from") or {}).get("value"))
    parts = [number(call) if number(call) != name(call) else "",
             text("call.not_verified") if is_doubtful else "", known_as,
             text("call.forwarded", party=meant_for) if meant_for else "", shown(app)]
    return " · ".join(part for part in parts if part)


def incoming(call: Call, app: str, why_not: str = "") -> Card:
    """A call at the door. `why_not` tells why the last button did not do it."""
    what = text("screen.incoming_video" if call.get("has_video") else "screen.incoming")
    what = text("screen.another") if call["state"] == "waiting" else what
    if call.get("priority") in ("emergency", "emergency_callback"):
        what = text("screen.emergency")
    more = details(call, app)
    lines = [text("screen.details", what=what, details=more) if more else what, why_not]
    return Card(name(call), "\n".join(line for line in lines if line),
                actions(call.get("allowed", ())))


def asks_for_video(call: Call) -> bool:
    """Whether the other side of a call asks for video, and the user has still to decide."""
    return (bool(call.get("video_request")) and "set_video" in call.get("allowed", ())
            and call.get("pending_action") != "changing_video")


def video_request(call: Call, app: str, why_not: str = "") -> Card:
    """What the other side asks for: our camera, or only to show its own."""
    is_offer = call.get("video_request") == "receive"
    what = text("screen.video_offer" if is_offer else "screen.video_request")
    return _request(call, app, what, (ACCEPT_VIDEO, DECLINE_VIDEO), why_not)


def video(call: Call, button: str) -> str:
    """The direction that a button stands for; to decline is to keep the present one."""
    wanted = call.get("video_request") if button == ACCEPT_VIDEO else None
    return str(wanted or call.get("video") or "off")


def asks_for_text(call: Call) -> bool:
    """Whether the other side of a call asks for real-time text, and the user has still to decide."""
    return (bool(call.get("text_request")) and "set_text" in call.get("allowed", ())
            and call.get("pending_action") != "changing_text")


def text_request(call: Call, app: str, why_not: str = "") -> Card:
    """The other side would like to type."""
    return _request(call, app, text("screen.text_request"), (ACCEPT_TEXT, DECLINE_TEXT), why_not)


def asks(call: Call) -> bool:
    """Whether the other side of a call asks for something."""
    return asks_for_video(call) or asks_for_text(call)


def request(call: Call, app: str, why_not: str = "") -> Card:
    """What the other side of a call asks for: video first."""
    card = video_request if asks_for_video(call) else text_request
    return card(call, app, why_not)


def _request(call: Call, app: str, what: str, buttons: Sequence[str], why_not: str) -> Card:
    more = details(call, app)
    lines = [text("screen.details", what=what, details=more) if more else what, why_not]
    return Card(name(call), "\n".join(line for line in lines if line),
                tuple((button, label(button)) for button in buttons), category="call")


def is_missed(call: Call) -> bool:
    """Whether an incoming call is over and the user does not know of it."""
    return call["direction"] == "incoming" and bool(call.get("missed_reasons"))


def missed(call: Call, app: str, count: int = 1) -> Card:
    """A call that is over; nobody can be called back whose number is withheld."""
    what = text("screen.missed", count=count)
    button = ((CALL_BACK, label(CALL_BACK)),) if number(call) else ()
    body = "\n".join(part for part in (name(call), details(call, app)) if part)
    return Card(what, body, button, "call.unanswered", False, "call-missed")


def failed(what: str, why: str) -> Card:
    """A button that did nothing."""
    return Card(what, shown(why), (), "call", False, "dialog-error")


def question(asked: JSON) -> Card:
    """What an app would like to be allowed. Its name is its own word; its program is the kernel's."""
    identity = shown(asked["provider"])
    app = shown(asked.get("display_name")) or identity
    program = shown(asked.get("app") or asked.get("executable") or asked.get("unit"))
    lines = [identity, program]
    return Card(text("screen.ask." + asked["subject"], app=app),
                "\n".join(line for line in lines if line),
                tuple((answer, label(answer)) for answer in (ALLOW, DENY, LATER)),
                "device", True, "dialog-question")


def is_of_the_user(refused: JSON) -> bool:
    """Whether somebody followed a link; an app that asks for itself hears the error."""
    return bool((refused.get("cause") or {}).get("origin") == "user")


def not_called(refused: JSON) -> Card:
    """A link that was followed, and nobody is called."""
    message = refusal({"message": refused.get("message"), "data": refused})
    lines = [message[:1].upper() + message[1:], shown(refused.get("hint"))]
    return Card(text("screen.not_called"), "\n".join(line for line in lines if line), (), "call", False,
                "dialog-error")


NOT_DONE = {"start", "answer", "set_held", "set_muted", "set_group", "play_dtmf"}
NO_NEWS = {"cancelled", "call_ended"}           # somebody here has taken it back, or it is over


def asked_for(completed: JSON) -> JSON:
    """The action that a transaction was for: the first that the broker has not put in front."""
    actions: List[JSON] = completed.get("actions", [])
    return next((action for action in actions if not action.get("implied")), {})


def is_not_done(completed: JSON) -> bool:
    """Whether the user has to hear of it: it has failed, and he, or for a start or an answer his app,
    has asked for it."""
    error = completed.get("refusal")
    if error is None or (error.get("data") or {}).get("reason") in NO_NEWS:
        return False
    kind, origin = asked_for(completed).get("kind"), (completed.get("cause") or {}).get("origin")
    return kind in NOT_DONE and (origin == "user" or origin == "app" and kind in ("start", "answer"))


def refusal(error: JSON) -> str:
    """What the broker says of an error, in the language of the user if the catalog has it."""
    reason = (error.get("data") or {}).get("reason", "")
    return shown(translated("refusal." + str(reason), error.get("message") or ""))


def why(error: JSON) -> str:
    """What the app says of itself; before it, unless that is no news, what the broker says of the error."""
    said = (error.get("data") or {}).get("provider_error") or {}
    app = said.get("message") or said.get("reason", "").replace("_", " ")
    message = refusal(error)
    if not app or app == "unspecified":
        return message
    is_all = (error.get("data") or {}).get("reason") == "provider_failed"
    return shown(app) if is_all else text("screen.app_reason", message=message, reason=shown(app))


def why_ended(call: Optional[Call]) -> str:
    """Why a call could not begin, in the words of the catalog; empty without a word that it has."""
    key = f"detail.{(call or {}).get('end_detail', {}).get('reason')}"
    words = text(key)
    return "" if words == key else words


def not_done(completed: JSON, call: Optional[Call], app: str) -> Card:
    """Something that was asked for and has failed, with why."""
    kind = asked_for(completed)["kind"]
    message = why_ended(call) if kind in ("start", "answer") else ""
    message = message or why(completed.get("refusal") or {})
    who = " · ".join(part for part in (name(call), details(call, app)) if part) if call else ""
    lines = [who, message[:1].upper() + message[1:]]
    return Card(text("screen.not_done." + kind), "\n".join(line for line in lines if line),
                (), "call", False, "dialog-error")


LOSS_BAD, JITTER_BAD, ROUND_TRIP_BAD = 50, 100, 1_000     # in thousandths, and ms


def is_poor(quality: JSON) -> bool:
    """Whether a report of the quality of a call tells of what the user hears."""
    return (quality.get("loss_permille", 0) >= LOSS_BAD or quality.get("jitter_ms", 0) >= JITTER_BAD
            or quality.get("round_trip_ms", 0) >= ROUND_TRIP_BAD)


def poor(call: Call, app: str, quality: JSON) -> Card:
    """A call that is hard to understand, and what its app has measured."""
    measured = [text("quality.loss", percent=f"{quality['loss_permille'] / 10:.1f}")
                if "loss_permille" in quality else "",
                text("quality.jitter", milliseconds=quality["jitter_ms"])
                if "jitter_ms" in quality else "",
                text("quality.round_trip", milliseconds=quality["round_trip_ms"])
                if "round_trip_ms" in quality else ""]
    who = " · ".join(part for part in (name(call), details(call, app)) if part)
    return Card(text("screen.poor_quality"), who + "\n" + ", ".join(part for part in measured if part), (),
                "call", False, "network-error")


def tone(calls: Iterable[Call]) -> Optional[str]:
    """What is to be heard: `ring`, `waiting` or nothing."""
    heard: List[str] = [call["state"] for call in calls
                        if is_at_the_door(call) and not call.get("silenced")]
    if "ringing" in heard:
        return "ring"
    return "waiting" if heard else None
