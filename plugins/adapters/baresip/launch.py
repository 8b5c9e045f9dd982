"""Starting baresip with a configuration of its own."""
from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
from pathlib import Path
from typing import Optional

from advice import settings
from app_adapter import Impossible
from options import Endpoint
from ports import Ports, free_ports

log = logging.getLogger("baresip_provider")

STOP_SECONDS = 5.0
EVERYWHERE = "0.0.0.0"
MODULES = ("/usr/lib/baresip/modules", "/usr/local/lib/baresip/modules",
           "/usr/lib64/baresip/modules")
CONFIG = """\
poll_method         epoll
sip_listen          {host}:{sip}
{interface}
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
module              stun.so
module_tmp          uuid.so
module_tmp          account.so
module_app          menu.so
module_app          debug_cmd.so
module_app          ctrl_tcp.so
ctrl_tcp_listen     127.0.0.1:{control}
"""
SOUND = "audio_source        {0}\naudio_player        {0}\naudio_alert         {0}"
TONE = ("audio_source        ausine,440\naudio_player        aufile,/dev/null\n"
        "audio_alert         aufile,/dev/null")
CODECS = "audio_codecs=PCMU/8000/1,PCMA/8000/1"
DIRECT = "<sip:{user}@{host}:{sip};transport=udp>;regint=0;answermode=manual;{codecs}\n"
REGISTERED_SECONDS = 600                        # at most, between registrations
STARTS = 5                                      # tries, when others take the ports first
TAKEN, READY = "Address already in use", "baresip is ready"    # in its log


def account_line(options: argparse.Namespace, password: str) -> str:
    """An account as baresip takes it; it has the password."""
    transport = f"transport={options.transport}"
    through = options.outbound_proxy or options.registrar
    members = [f"<{options.account};{transport}>", f"regint={REGISTERED_SECONDS}",
               "answermode=manual", CODECS]
    if options.auth_user:
        members.append(f"auth_user={options.auth_user}")
    if password:
        members.append(f'auth_pass="{password}"')
    if through:
        members.append(f'outbound="sip:{through};{transport}"')
    if options.stun:
        members.append(f'medianat=stun;stunserver="stun:{options.stun}"')
    return ";".join(members)


class Launch:
    """A baresip that lives in a session of its own, so that it outlives this program."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._folder: Path = options.folder
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._ports: Optional[Ports] = None
        self._starts = 0

    @property
    def control(self) -> Endpoint:
        """Where it can be reached: one that was started before, or is started now."""
        if self._options.control is not None:
            return self._options.control
        if self._ports is None:
            self._ports = self._former()
        return Endpoint("127.0.0.1", self._ports.control if self._ports else 0)

    @property
    def process(self) -> Optional[int]:
        """The process of the baresip that was started with this folder, now or before; None if it
        has ended."""
        try:
            process = int((self._folder / "pid").read_text())
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            return process if str(self._folder).encode() in words else None
        except (OSError, ValueError):
            return None

    def is_ready(self) -> bool:
        """Whether it runs, and has its control port: what answers there could be another's."""
        return self.process is not None and READY in self._said() and TAKEN not in self._said()

    def _said(self) -> str:
        try:
            return (self._folder / "log").read_text("utf-8", "replace")
        except OSError:
            return ""

    def _former(self) -> Optional[Ports]:
        """Those of the configuration that was written last."""
        try:
            found = dict((name, value) for _, name, value in
                         settings((self._folder / "config").read_text("utf-8"))[0])
            return Ports(int(found["sip_listen"].rpartition(":")[2]),
                         int(found["ctrl_tcp_listen"].rpartition(":")[2]), found["rtp_ports"])
        except (OSError, ValueError, KeyError):
            return None

    def start(self) -> None:
        """Starts it. Raises Impossible."""
        options, folder = self._options, self._folder
        host, port = options.address
        control = options.control.port if options.control is not None else None
        former = self._former() if self._starts == 0 else None
        self._ports = free_ports(host, port, control, options.rtp, former)
        self._starts += 1
        # Nothing verbose where it is sent a password: its log would have it.
        more = ["-v"] if options.verbose and options.account is None else []
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.chmod(0o700)
            self._write(folder, host, self._ports)
            with open(folder / "log", "wb") as output:
                self._process = subprocess.Popen(
                    ["baresip", "-f", str(folder), *more], stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, cwd=folder, start_new_session=True)
            (folder / "pid").write_text(str(self._process.pid))
        except FileNotFoundError as error:
            if error.filename != "baresip":
                raise Impossible(f"{error}; choose another --folder") from None
            raise Impossible(
                "baresip is not installed; it is in the package baresip-core") from None
        except OSError as error:
            raise Impossible(f"{error}; choose another --folder") from None
        log.info("baresip is started for calls at %s:%d", host, self._ports.sip)

    def _write(self, folder: Path, host: str, ports: Ports) -> None:
        options = self._options
        modules = next((path for path in MODULES if os.path.isdir(path)), MODULES[0])
        tone = options.sound == "tone"
        module = "ausine" if tone else options.sound.partition(",")[0]
        if not os.path.exists(f"{modules}/{module}.so"):    # it would run, and never answer
            raise Impossible(f"--sound: there is no {module}.so in {modules}")
        config = CONFIG.format(
            host=host, interface="" if host == EVERYWHERE else f"net_interface       {host}",
            calls=options.calls, **ports._asdict(), modules=modules,
            module=module, sound=TONE if tone else SOUND.format(options.sound))
        direct = DIRECT.format(user=options.user, host=host, sip=ports.sip, codecs=CODECS)
        accounts = direct if options.account is None else ""    # that one is sent
        for name, text in (("config", config), ("accounts", accounts), ("contacts", "")):
            (folder / name).write_text(text, encoding="utf-8")

    def check(self) -> None:
        """Starts it anew if others were faster to take its ports. Raises Impossible if it has been
        started, and cannot be used."""
        if self._process is None:
            return
        has_ended, is_refused = self._process.poll() is not None, TAKEN in self._said()
        if not has_ended and not is_refused:
            return
        if is_refused and not self._has_given_ports() and self._starts < STARTS:
            self.stop()
            return self.start()
        self.stop()
        if is_refused and self._ports is not None:
            raise Impossible(
                f"baresip ends: a port is in use already. It needs {self._ports.sip}, the one "
                f"after it for TLS, and {self.control} for its control")
        raise Impossible(f"baresip ends at once; {self._folder}/log may tell why")

    def _has_given_ports(self) -> bool:
        return self._options.address[1] is not None or self._options.control is not None

    @property
    def is_started(self) -> bool:
        """Whether there is one that this program has started."""
        return self._process is not None

    def gone(self) -> None:
        """It has ended, and may be started anew."""
        if self._process is not None:
            self._process.poll()
        self._process, self._starts = None, 0

    def stop(self) -> None:
        """Ends it, if it was started here."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:   # it waits for an answer to its goodbye
                self._process.kill()
                self._process.wait()
