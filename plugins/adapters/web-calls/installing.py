"""Where browsers look for native hosts and extensions, and what is put there."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Dict, List, NamedTuple

HERE = Path(__file__).resolve().parent
NAME = "org.callbroker.web_calls"               # as background.js has it
CHROMIUM_ID = "hefmehnkfomhoknphabafaomhigfjobd"    # of the key in the extension's manifest
FIREFOX_ID = "web-calls@callbroker.org"
DESCRIPTION = "Makes the calls of web pages calls of CallBroker"


class Place(NamedTuple):
    """A folder for the manifests of native hosts, for one browser."""
    browser: str
    profiles: str                               # below the home folder
    folder: str
    is_firefox: bool


PLACES = (
    Place("Chromium", ".config/chromium", "NativeMessagingHosts", False),
    Place("Google Chrome", ".config/google-chrome", "NativeMessagingHosts", False),
    Place("Firefox", ".mozilla", "native-messaging-hosts", True),
)
# Debian's Chromium and Firefox load what is here for all users, unsigned.
EXTENSIONS = (
    Path("usr/share/chromium/extensions/callbroker-web-calls"),
    Path("usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}") / FIREFOX_ID,
)


def host_manifest(is_firefox: bool) -> Dict[str, object]:
    """What the browser reads before it starts the program."""
    allowed = ({"allowed_extensions": [FIREFOX_ID]} if is_firefox
               else {"allowed_origins": [f"chrome-extension://{CHROMIUM_ID}/"]})
    return {"name": NAME, "description": DESCRIPTION, "path": str(HERE / "web_calls.py"),
            "type": "stdio", **allowed}


def install(home: Path) -> List[str]:
    """Puts the manifests where the browsers look; all of them, so that a browser which is installed
    later works, too. Returns what was done, for people."""
    done = []
    for place in PLACES:
        file = home / place.profiles / place.folder / f"{NAME}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        written = file.with_suffix(".new")
        written.write_text(json.dumps(host_manifest(place.is_firefox), indent=2) + "\n", "utf-8")
        written.replace(file)
        done.append(f"{place.browser}: {file}")
    return done


def uninstall(home: Path) -> List[str]:
    """Takes them away again, and folders that are empty then."""
    done = []
    for place in PLACES:
        file = home / place.profiles / place.folder / f"{NAME}.json"
        if not file.exists():
            continue
        file.unlink()
        done.append(f"{place.browser}: {file} removed")
        for folder in (file.parent, home / place.profiles):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
    return done


def install_extension(root: Path = Path("/")) -> List[str]:
    """Links the extension into the folders of Debian's browsers. Raises OSError, as for others than
    root."""
    done = []
    for extension in EXTENSIONS:
        link = root / extension
        link.parent.mkdir(parents=True, exist_ok=True)
        if link.is_symlink():
            link.unlink()
        link.symlink_to(HERE / "extension")
        done.append(str(link))
    return done


def uninstall_extension(root: Path = Path("/")) -> List[str]:
    """Removes the links."""
    links = [root / extension for extension in EXTENSIONS if (root / extension).is_symlink()]
    for link in links:
        link.unlink()
    return [f"{link} removed" for link in links]
