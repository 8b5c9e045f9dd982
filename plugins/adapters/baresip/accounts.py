"""The accounts of baresip, which are the lines of the provider."""
from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from app_adapter import shortened
from callbroker import Line
from leg import handle

LINES_MAX = 32                                  # of one provider
ID_BYTES = 64                                   # of a line
TEXT_BYTES = 128                                # of its label, and of the reason of its state
MESSAGES_MAX = 1_000_000
BY_ITSELF = "answers calls by itself (answermode=auto), before others are held"
STATES = {"REGISTERING": "registering", "REGISTER_OK": "registered", "REGISTER_FAIL": "failed",
          "UNREGISTERING": "off"}


class Mailbox(NamedTuple):
    """The messages of an account, as its server reports them."""
    waiting: int
    address: str                                # to be called, or empty


def mailbox(text: str) -> Mailbox:
    """Reads a message summary (RFC 3842). One without numbers tells only whether there are any."""
    fields = {name.lower(): value for name, value in
              re.findall(r"^([\w-]+)[ \t]*:[ \t]*(.*?)[ \t\r]*$", text, re.MULTILINE)}
    voice = re.match(r"\d+", fields.get("voice-message", ""))
    is_waiting = fields.get("messages-waiting", "").lower() == "yes"
    waiting = min(int(voice[0]), MESSAGES_MAX) if voice else int(is_waiting)
    return Mailbox(waiting, fields.get("message-account", "").strip("<>"))


def line_id(aor: str) -> str:
    """The id of the line: the account's address, with a hash in place of an end that is too
    long."""
    if len(aor.encode()) <= ID_BYTES:
        return aor
    import hashlib                              # with all of OpenSSL, for a name that hardly anybody has
    digest = hashlib.sha256(aor.encode()).hexdigest()[:16]
    return shortened(aor, ID_BYTES - len(digest) - 1) + "~" + digest


class Account(NamedTuple):
    """One account, named by its address of record (AOR)."""
    aor: str
    name: str                                   # for people; may be empty
    state: str                                  # of a line
    reason: str = ""                            # the words of its server, or their code
    mailbox: Optional[Mailbox] = None           # None: nothing was reported
    answers_by_itself: bool = False             # before anybody is asked

    def line(self, is_default: bool) -> Line:
        """Returns what the broker gets; it takes no empty texts."""
        label = shortened(self.name, TEXT_BYTES) or shortened(self.aor, TEXT_BYTES)
        line: Line = {"line": line_id(self.aor), "label": label, "handle": handle(self.aor),
                      "default": is_default, "state": self.state}
        reason = shortened(self.reason or (BY_ITSELF if self.answers_by_itself else ""), TEXT_BYTES)
        if reason:
            line["reason"] = reason
        if self.mailbox is not None:
            line["messages_waiting"] = self.mailbox.waiting
            voicemail = handle(self.mailbox.address)
            if voicemail["value"]:
                line["voicemail"] = voicemail
        return line


def listed_account(listed: Mapping[str, Any], former: Optional[Account]) -> Account:
    """Reads an account of `apistate`, which lacks the words of a refusal and the messages: they are
    those of the former."""
    aor, registration = str(listed["aor"]), dict(listed["registration"])
    code = int(registration.get("code", 0))
    state, reason = "registered", ""
    if registration["interval"] and not registration.get("state"):
        state = "failed" if code else "registering"
        reason = str(code) if 300 <= code < 700 else ""     # 999: there was no answer
    if former is not None and former.state == state and former.reason.startswith(reason):
        reason = former.reason
    mode = listed.get("settings", {}).get("answer_mode", "manual")
    return Account(aor, str(listed.get("display_name", "")), state, reason,
                   former.mailbox if former is not None else None, mode != "manual")


class Accounts:
    """All accounts, in the order of baresip. Those beyond the broker's limit are no lines."""

    def __init__(self) -> None:
        self._known: Dict[str, Account] = {}
        self._refused: Dict[str, Account] = {} # refused before they were listed
        self.default: Optional[str] = None      # the AOR that places calls without a line
        self.selected: Optional[str] = None     # the AOR that was baresip's current one

    def __contains__(self, aor: object) -> bool:
        return aor in self._known

    @property
    def addresses(self) -> List[str]:
        """The AORs."""
        return list(self._known)

    @property
    def answering(self) -> List[str]:
        """The AORs of those that answer by themselves."""
        return [account.aor for account in self._known.values() if account.answers_by_itself]

    def replace(self, text: str) -> None:
        """Reads the answer to `apistate`. A baresip that does not know the command has none."""
        try:
            listed = list(dict(json.loads(text)).values())
            found = [listed_account(each, self._known.get(each["aor"])
                                    or self._refused.get(each["aor"])) for each in listed]
        except (ValueError, TypeError, KeyError):
            listed, found = [], []
        self._known = {account.aor: account for account in found}
        self._refused = {}
        self.selected = next((each["aor"] for each in listed if each.get("selected_ua")), None)
        if self.default not in self._known:
            self.default = self.selected or next(iter(self._known), None)

    def happened(self, kind: str, aor: str, param: str) -> bool:
        """Follows an event; returns whether an account has changed by it."""
        known = self._known.get(aor)
        if known is None:
            if kind == "REGISTER_FAIL":
                self._refused[aor] = Account(aor, "", STATES[kind], param.strip())
            return False
        changed = known
        if kind in STATES:
            changed = known._replace(state=STATES[kind],
                                     reason=param.strip() if kind == "REGISTER_FAIL" else "")
        elif kind == "MWI_NOTIFY":
            changed = known._replace(mailbox=mailbox(param))
        self._known[aor] = changed
        return changed != known

    def lines(self) -> List[Line]:
        """Returns the lines of the provider."""
        return [account.line(account.aor == self.default)
                for account in list(self._known.values())[:LINES_MAX]]

    def line(self, aor: str) -> Optional[str]:
        """Returns the id of the account's line, if it has one."""
        return line_id(aor) if aor in self.addresses[:LINES_MAX] else None

    def aor(self, line: str) -> Optional[str]:
        """Returns the account of a line."""
        return next((aor for aor in self.addresses if line_id(aor) == line), None)
