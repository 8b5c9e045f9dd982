"""Starting baresip with a configuration of its own."""
from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
from pathlib import Path
from typing import Optional

from app_adapter import Impossible

log = logging.getLogger("baresip_provider")

STOP_SECONDS = 5.0
MODULES = ("/usr/lib/baresip/modules", "/usr/local/lib/baresip/modules",
           "/usr/lib64/baresip/modules")
CONFIG = """\
poll_method         epoll
sip_listen          {address}
net_interface       {host}
call_local_timeout  600
call_max_calls      {calls}
{sound}
ausrc_srate         48000
ausrc_channels      2
audio_buffer        20-160
rtp_ports           {rtp}
rtcp_mux            no
rtcp_stats          yes
jitter_buffer_delay 5-10
statmode_default    off
module_path         {modules}
module              g711.so
module              {module}.so
module              aufile.so
module_tmp          uuid.so
module_tmp          account.so
module_app          menu.so
module_app          debug_cmd.so
module_app          ctrl_tcp.so
ctrl_tcp_listen     {control}
"""
SOUND = "audio_source        {0}\naudio_player        {0}\naudio_alert         {0}"
TONE = ("audio_source        ausine,440\naudio_player        aufile,/dev/null\n"
        "audio_alert         aufile,/dev/null")
ACCOUNT = ("<sip:{user}@{address};transport=udp>;regint=0;answermode=manual;"
           "audio_codecs=PCMU/8000/1,PCMA/8000/1\n")


class Launch:
    """A baresip that lives in a session of its own, so that it outlives this program."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._process: Optional[subprocess.Popen[bytes]] = None

    def start(self) -> None:
        """Starts it. Raises Impossible."""
        options, folder = self._options, self._options.folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._write(folder)
            more = ["-v"] if options.verbose else []        # that grows, and tells who calls
            with open(folder / "log", "wb") as output:
                self._process = subprocess.Popen(
                    ["baresip", "-f", str(folder), *more], stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, cwd=folder, start_new_session=True)
        except FileNotFoundError as error:
            if error.filename != "baresip":
                raise Impossible(f"{error}; choose another --folder") from None
            raise Impossible(
                "baresip is not installed; it is in the package baresip-core") from None
        except OSError as error:
            raise Impossible(f"{error}; choose another --folder") from None
        log.info("baresip is started for calls at %s", options.address)

    def _write(self, folder: Path) -> None:
        options = self._options
        host, colon, port = options.address.rpartition(":")
        if not (host and colon and port.isdigit()):
            raise Impossible(f"--address: expected HOST:PORT such as 127.0.0.1:5060, "
                             f"found {options.address!r}")
        modules = next((path for path in MODULES if os.path.isdir(path)), MODULES[0])
        tone = options.sound == "tone"
        module = "ausine" if tone else options.sound.partition(",")[0]
        if not os.path.exists(f"{modules}/{module}.so"):    # it would run, and never answer
            raise Impossible(f"--sound: there is no {module}.so in {modules}")
        config = CONFIG.format(
            address=options.address, host=host, calls=options.calls, rtp=options.rtp,
            modules=modules, control=options.control,
            module=module, sound=TONE if tone else SOUND.format(options.sound))
        account = ACCOUNT.format(user=options.user, address=options.address)
        for name, text in (("config", config), ("accounts", account), ("contacts", "")):
            (folder / name).write_text(text, encoding="utf-8")

    def check(self) -> None:
        """Raises Impossible if it has been started, and has ended."""
        if self._process is None or self._process.poll() is None:
            return
        said = (self._options.folder / "log").read_text("utf-8", "replace")
        if "Address already in use" in said:
            port = int(self._options.address.rpartition(":")[2])
            raise Impossible(f"baresip ends: a port is in use already. It needs {port}, the one "
                             f"after it for TLS, and {self._options.control} for its control")
        raise Impossible(f"baresip ends at once; {self._options.folder}/log may tell why")

    @property
    def is_started(self) -> bool:
        """Whether there is one that this program has started."""
        return self._process is not None

    def gone(self) -> None:
        """It has ended, and may be started anew."""
        if self._process is not None:
            self._process.poll()
        self._process = None

    def stop(self) -> None:
        """Ends it, if it was started here."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:   # it waits for an answer to its goodbye
                self._process.kill()
                self._process.wait()
