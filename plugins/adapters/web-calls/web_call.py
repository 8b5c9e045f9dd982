"""A call of a web page."""
from __future__ import annotations

import uuid
from typing import Any, Dict, Optional, cast

from app_adapter import Leg, shortened
from callbroker import Failed, Handle, Update, new_id
from roster import Roster

SITE_BYTES, LABEL_BYTES = 255, 128
VIDEO = ("off", "send", "receive", "both")
PRIVATE = ("private-window", "Private window")  # a site that is not named


def text(message: Dict[str, Any], member: str, most: int) -> str:
    """A text of a message, of printable characters, as long as the broker takes it."""
    value = message.get(member)
    if not isinstance(value, str):
        return ""
    return shortened("".join(filter(str.isprintable, value[:4 * most])).strip(), most)


def video(message: Dict[str, Any]) -> str:
    """The direction of the video of a message."""
    word = message.get("video")
    return word if word in VIDEO else VIDEO[0]


def identifier(message: Dict[str, Any]) -> str:
    """The call's id, which the extension has chosen, so that it outlives this program."""
    try:
        return str(uuid.UUID(str(message.get("call"))))
    except ValueError:
        return new_id()


class WebCall(Leg):
    """The call of a tab: it rings, or sends a microphone over a peer connection, or has done so."""

    def __init__(self, tab: int, message: Dict[str, Any]) -> None:
        self.tab = tab
        self.site = text(message, "site", SITE_BYTES) or PRIVATE[0]
        self.label = text(message, "label", LABEL_BYTES) or (
            PRIVATE[1] if self.site == PRIVATE[0] else "")
        self.is_reported = message.get("resent") is True    # by this process, or one before it
        self.is_listed = False                  # by the broker
        self.is_live = False                    # as the page has it
        self.is_ringing = False
        self.is_silent = False                  # nothing is sent or played
        self.is_held = message.get("held") is True      # as the broker has it
        self.is_muted = False
        self.has_audio = False                  # as the broker has granted it
        self.video = VIDEO[0]                   # as the page has it; of a ring, what it is answered with
        self.answers_video = False              # the ring has a button for it
        self.is_changing_video = False          # by an action
        self.told: Update = {}                  # of the video, to the broker
        self.roster = Roster()                  # who takes part
        super().__init__(identifier(message), is_incoming=message.get("live") is not True,
                         name=text(message, "caller", LABEL_BYTES) or self.label)

    def handle(self) -> Handle:
        return {"type": "generic", "value": self.site}

    def broker_state(self) -> str:
        if not self.is_live:
            return "ringing"
        return "held" if self.is_held else "active"

    def abilities(self) -> Update:
        return cast(Update, {"supports_grouping": False, "supports_ungrouping": False,
                             "supports_dtmf": False, **self.media()})

    def media(self) -> Update:
        """The video, as the broker is to have it."""
        return {"supports_set_video": self.is_live or self.answers_video, "video": self.video}

    def choose_video(self, wanted: str) -> None:
        """With what a ring is answered. Raises Failed."""
        if wanted != VIDEO[0] and not (self.answers_video and wanted == "both"):
            raise Failed("not_offered", "the page can be answered without video, or with all of it")
        self.video = wanted

    def take(self, message: Dict[str, Any]) -> None:
        """What the page is doing now."""
        if message.get("live") is True:
            self.video = video(message)
        self.is_live = message.get("live") is True
        self.answers_video = message.get("answers_video") is True
        self.is_ringing = message.get("ringing") is True
        self.is_silent = message.get("held") is True

    def caller(self, message: Dict[str, Any]) -> Optional[str]:
        """The caller's name, if it is another one now."""
        name = text(message, "caller", LABEL_BYTES)
        if not self.is_ringing or not name or name == self.name:
            return None
        self.name = name
        return name
