"""A web hook: the file that describes it, its body, and its signature."""
from __future__ import annotations

import ipaddress
import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional, Tuple
from urllib.parse import SplitResult, urlsplit

from folders import Refused
from happenings import VARIABLES, Happening, encoded
from markup import escaped

DESCRIPTION_BYTES = 65_536
SECRET_BYTES = 4_096
MEMBERS = {"url": str, "secret_file": str, "secret_credential": str, "ca_file": str,
           "redacted": bool, "escape_html": bool, "body": object}
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True)
class WebHook:
    """What the file says. The URL may be a secret itself: no text of an error or a log has it."""

    url: SplitResult
    secret: Optional[bytes]
    ca_file: Optional[Path]
    redacted: bool
    body: Any
    escape_html: bool

    @property
    def address(self) -> Tuple[str, int, bool]:
        """Host, port, and whether it is spoken to through TLS."""
        is_secure = self.url.scheme == "https"
        return self.url.hostname or "", self.url.port or (443 if is_secure else 80), is_secure

    @property
    def target(self) -> str:
        return (self.url.path or "/") + (f"?{self.url.query}" if self.url.query else "")

    def payload(self, happening: Happening) -> bytes:
        """The body of the request."""
        if self.body is None:
            return encoded(happening.document(self.redacted))
        words = happening.words(self.redacted)
        if self.escape_html:
            words = {name: escaped(word) for name, word in words.items()}
        return encoded(filled(self.body, words))

    def signature(self, delivery: str, timestamp: str, payload: bytes) -> Optional[str]:
        """Over the id and the time, too, so that nobody sends the same again."""
        if self.secret is None:
            return None
        import hashlib                          # this and TLS: for those who have such a web hook
        import hmac
        signed = f"{delivery}.{timestamp}.".encode() + payload
        return "sha256=" + hmac.new(self.secret, signed, hashlib.sha256).hexdigest()


def filled(value: Any, words: Dict[str, str]) -> Any:
    """The body with its placeholders replaced. It becomes JSON afterwards, so that no word can
    break out of its text."""
    if isinstance(value, str):
        return PLACEHOLDER.sub(lambda found: words[found[1]], value)
    if isinstance(value, list):
        return [filled(each, words) for each in value]
    if isinstance(value, dict):
        return {key: filled(each, words) for key, each in value.items()}
    return value


def read_web_hook(path: Path) -> WebHook:
    """The description, and its secret; `Refused` with what is wrong, `OSError` if it is gone."""
    members = read_members(path)
    ca_file = members.get("ca_file")
    check_placeholders(members.get("body"))
    return WebHook(
        read_url(members.get("url", "")), read_secret(path, members),
        beside(path, ca_file) if ca_file else None, members.get("redacted", True),
        members.get("body"), members.get("escape_html", False))


def read_members(path: Path) -> Dict[str, Any]:
    try:
        members = json.loads(read_small(path, DESCRIPTION_BYTES))
    except (ValueError, RecursionError) as error:
        raise Refused(f"it is not JSON: {error}") from None
    if not isinstance(members, dict):
        raise Refused('it is no object; write {"url": "https://…"}')
    for name, value in members.items():
        if name not in MEMBERS:
            raise Refused(f"it has an unknown member; there are {', '.join(MEMBERS)}")
        if not isinstance(value, MEMBERS[name]):
            raise Refused(f"{name} has the wrong type")
    return members


def read_url(text: str) -> SplitResult:
    try:
        url = urlsplit(text)
        has_port = url.port is None or url.port > 0
    except ValueError:
        raise Refused("its url cannot be read") from None
    if not text.isascii() or not text.isprintable() or " " in text or not url.hostname:
        raise Refused("its url is missing, or has blanks or other characters to be escaped")
    if url.username is not None or url.password is not None or not has_port:
        raise Refused("its url has a user or a wrong port; use a secret to be recognized")
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback(url.hostname)):
        raise Refused("its url must begin with https://; http is for this host only")
    return url


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def read_secret(path: Path, members: Dict[str, Any]) -> Optional[bytes]:
    """Of `secret_file`, which only its owner may read, or of systemd."""
    credential = members.get("secret_credential")
    if credential is not None:
        folder = os.environ.get("CREDENTIALS_DIRECTORY")
        if not folder or "/" in credential:
            raise Refused("the service has no such credential; see LoadCredential= of systemd")
        return not_empty(read_small(Path(folder, credential), SECRET_BYTES))
    if "secret_file" not in members:
        return None
    file = beside(path, members["secret_file"])
    status = file.stat()
    if status.st_uid not in (0, os.getuid()) or stat.S_IMODE(status.st_mode) & 0o077:
        raise Refused("others may read its secret_file; use chmod 600")
    return not_empty(read_small(file, SECRET_BYTES))


def not_empty(secret: bytes) -> bytes:
    secret = secret.strip()
    if not secret:
        raise Refused("its secret is empty")
    return secret


def beside(path: Path, name: str) -> Path:
    """A path in the description: relative to its folder, or from the user's home."""
    return path.parent / Path(name).expanduser()


def read_small(path: Path, limit: int) -> bytes:
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Refused(f"{path.name} has more than {limit} bytes")
    return data


def check_placeholders(body: Any) -> None:
    for name in PLACEHOLDER.findall(json.dumps(body)):
        if name not in VARIABLES:
            raise Refused(f"its body has an unknown placeholder; there are "
                          f"{', '.join(VARIABLES)}")
