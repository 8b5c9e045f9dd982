"""A sound server and a session bus of its own for a test; the broker; the plugin; real media players."""
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import wave

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
GUARD = os.path.join(PLUGIN, "..", "..", "guards", "pulse-guard")
sys.path[:0] = [PLUGIN, os.path.join(GUARD, "tests")]

from studio import CEILING, ONE, RATE, TWO, Studio, start_until, wait_until  # noqa: E402,F401  (finds the library)

from callbroker import new_id, phone  # noqa: E402  isort:skip
from firefox_profile import write_profile  # noqa: E402  isort:skip

PROGRAM = os.path.join(PLUGIN, "media_pause.py")
FAKE_PLAYER = os.path.join(HERE, "fake_player.py")
PREFIX = "org.mpris.MediaPlayer2."
# A session bus that another user may enter: VLC does not run as root.
BUS = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow eavesdrop="false"/>
</policy></busconfig>
"""
# A page that plays, and says so to the browser.
PAGE = """\
<!doctype html><title>radio</title><audio src="tone.wav" loop autoplay></audio><script>
navigator.mediaSession.metadata = new MediaMetadata({title: 'Tone'});
</script>
"""
PREFERENCES = {"media.autoplay.default": 0, "media.autoplay.blocking_policy": 0,
               "datareporting.policy.dataSubmissionEnabled": False,
               "browser.shell.checkDefaultBrowser": False, "toolkit.startup.max_resumed_crashes": -1}


class Theater(Studio):
    """Where players play; `server` is pulseaudio or pipewire."""

    plugin_program = PROGRAM

    def __init__(self, test, server, *modules):
        super().__init__(test, server, *modules)
        os.chmod(self.folder, 0o755)
        self.state = os.path.join(self.folder, "state")
        if "DBUS_SESSION_BUS_ADDRESS" not in self.environment:
            self.start_bus()
        self.tone = os.path.join(self.folder, "tone.wav")
        with wave.open(self.tone, "wb") as file, open(
                os.path.join(self.folder, "tone"), "rb") as samples:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(samples.read())

    def start_bus(self):
        configuration, path = os.path.join(self.folder, "bus.conf"), os.path.join(self.folder, "bus")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(BUS.format(path=path))
        self.bus = self.program("session", "dbus-daemon", "--nofork", "--config-file=" + configuration)
        wait_until("a session bus", lambda: os.path.exists(path))
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + path

    def start_plugin(self, *arguments):
        """The plugin, when it follows the calls."""
        plugin = self.program("plugin", PROGRAM, "--verbose", "--state", self.state, *arguments)
        plugin.wait_for("following")
        return plugin

    # ---- Players

    def mpv(self):
        program = self.program("mpv", "mpv", "--no-config", "--no-video", "--ao=pulse",
                               "--loop-file=inf", "--idle=yes", "--script=" + mpv_mpris(), self.tone)
        self.wait_for_status("mpv", "Playing")
        return program

    def vlc(self):
        """As another user, where the test is root's."""
        socket = os.path.join(self.folder, "open")
        self.output("pactl", "load-module", "module-native-protocol-unix", "socket=" + socket,
                    "auth-anonymous=1")
        home = os.path.join(self.folder, "vlc")
        os.mkdir(home)
        as_other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        if os.getuid() == 0:
            os.chown(home, 65534, 65534)
        environment = {**self.environment, "HOME": home, "PULSE_SERVER": "unix:" + socket}
        del environment["XDG_RUNTIME_DIR"]
        former, self.environment = self.environment, environment
        program = self.program("vlc", *(as_other if os.getuid() == 0 else ()), "cvlc", "--no-video",
                               "--aout=pulse", "--loop", self.tone)
        self.environment = former
        self.wait_for_status("vlc", "Playing")
        return program

    def fake(self, name, *arguments):
        """A player of the test's own that writes down what it is asked for."""
        program = self.program(name, "/usr/bin/python3", FAKE_PLAYER, PREFIX + name, *arguments)
        program.wait_for("here")
        return program

    # ---- Browsers

    def page(self):
        """The address of a page that plays."""
        folder = os.path.join(self.folder, "www")
        os.makedirs(folder)
        shutil.copy(self.tone, folder)
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
            file.write(PAGE)
        handler = functools.partial(QuietHandler, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.test.addCleanup(server.server_close)
        self.test.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/"

    def chromium(self):
        self.start_screen()
        program = self.program(
            "browser", "chromium", "--no-sandbox", "--no-first-run", "--disable-gpu",
            "--user-data-dir=" + os.path.join(self.folder, "chromium"),
            "--autoplay-policy=no-user-gesture-required", self.page())
        self.wait_for_status("chromium", "Playing")
        return program

    def firefox(self):
        self.start_screen()
        profile = os.path.join(self.folder, "firefox")
        write_profile(profile, PREFERENCES)
        page = self.page()
        return start_until(
            lambda: self.program("browser", "firefox-esr", "--no-remote", "--profile", profile, page),
            lambda: self.status("firefox") == "Playing")

    # ---- What players do, and are asked for

    def status(self, player):
        """Playing, Paused or Stopped; empty while there is no such player."""
        return subprocess.run(["playerctl", "-p", player, "status"], env=self.environment, text=True,
                              check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.strip()

    def wait_for_status(self, player, status):
        wait_until(lambda: f"{player} is {self.status(player)!r}",
                   lambda: self.status(player) == status)

    def press(self, player, key):
        """As the user does, or a media key: play, pause, stop."""
        self.output("playerctl", "-p", player, key)
        self.wait_for_status(player, {"play": "Playing", "pause": "Paused", "stop": "Stopped"}[key])

    # ---- Calls

    def ring(self, provider):
        call = new_id()
        provider.report_incoming(call, phone("+15550100")).result(CEILING)
        return call

    def end(self, call):
        self.user.end(call, wait="completed").result(CEILING)

    # ---- Volumes

    def volumes(self, name):
        """In percent, of what a program plays."""
        return [round(channel["value"] * 100 / 65536) for each in self.inputs(name)
                for channel in each["volume"].values()]

    def inputs(self, name):
        found = json.loads(self.output("pactl", "-f", "json", "list", "sink-inputs") or "[]")
        return [each for each in found if each["properties"].get("application.process.binary") == name]

    def wait_for_volume(self, name, percent):
        wait_until(lambda: f"{name} has {self.volumes(name)}",
                   lambda: set(self.volumes(name)) == {percent})


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing."""


def mpv_mpris():
    """Where Debian has the script."""
    return "/usr/lib/mpv-mpris/mpris.so"
