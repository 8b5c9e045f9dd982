"""The password of an account: from a file, a keyring or a credential of systemd. It is on no
command line, and in no file of this program."""
from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

from app_adapter import Impossible

FORM = "file:PATH, keyring:ATTRIBUTE=VALUE[,ATTRIBUTE=VALUE...] or credential:NAME"
KEYRING_SECONDS = 60.0                          # for its user to unlock it


def secret(source: str) -> str:
    """The password from where the option --password says. Raises Impossible."""
    kind, _, rest = source.partition(":")
    if kind == "file" and rest:
        found = _of_file(Path(rest).expanduser())
    elif kind == "credential" and rest:
        found = _of_systemd(rest)
    elif kind == "keyring" and rest:
        found = _of_keyring(rest)
    else:
        raise Impossible(f"--password: expected {FORM}")    # and not what was given instead of it
    if not found or '"' in found or not found.isprintable():
        raise Impossible(f"--password: what {kind}:{rest} has is empty, or has a quotation mark or "
                         "a control character, which baresip cannot take")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise Impossible(f"--password: {path} cannot be read: {error}") from None


def _of_file(path: Path) -> str:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise Impossible(f"--password: {path} cannot be read: {error}") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Impossible(f"--password: others may read {path}: chmod 600 {path}")
    return _read(path)


def _of_systemd(name: str) -> str:
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    if not folder:
        raise Impossible(f"--password: there is no CREDENTIALS_DIRECTORY: add to the service "
                         f"LoadCredential={name}:PATH")
    return _read(Path(folder, os.path.basename(name)))


def _of_keyring(attributes: str) -> str:
    words = [word for pair in attributes.split(",") for word in pair.partition("=")[::2]]
    stored = f"secret-tool store --label=SIP {' '.join(words)}"
    if not all(words):
        raise Impossible(f"--password: expected {FORM}")
    try:
        ran = subprocess.run(["secret-tool", "lookup", *words], stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=KEYRING_SECONDS, check=False)
    except FileNotFoundError:
        raise Impossible("--password: secret-tool is not installed; it is in the package "
                         "libsecret-tools") from None
    except subprocess.TimeoutExpired:
        raise Impossible("--password: the keyring is locked; unlock it") from None
    if ran.returncode != 0:
        why = ran.stderr.decode("utf-8", "replace").strip()
        raise Impossible(f"--password: the keyring has none{': ' + why if why else ''}; store it: "
                         f"{stored}")
    return ran.stdout.decode("utf-8", "replace").rstrip("\r\n")
