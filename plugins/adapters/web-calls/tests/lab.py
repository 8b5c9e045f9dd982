"""A broker, browsers, a server of pages, and a user. Everything is waited for, with a ceiling."""
import functools
import http.server
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
import unittest

from browsers import CEILING, CHROMIUM_ID, HERE, Chromium, Firefox, wait_until  # noqa: F401
from callbroker import Admin, BrokerError, Controller, Observer, Provider, ProviderFailed, generic, new_id, phone  # noqa: F401
from real_broker import RealBroker

PAGES = os.path.join(HERE, "pages")


class User(Controller, Observer):
    """A user who sees the calls and says what is to be done."""

    roles = ("controller", "observer")


class Pages(http.server.SimpleHTTPRequestHandler):
    """The pages of the tests; what pages post is kept by its path."""

    def do_POST(self):
        self.server.reports.append(self.path)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def serve_pages(test, secured=lambda listener: listener):
    """A server of the pages, until the test ends."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=PAGES))
    server.reports = []
    server.socket = secured(server.socket)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server


class World(unittest.TestCase):
    """A broker and a user; browsers come by `browser`. Subclasses name one."""

    BROWSER = None
    HOSTS = ()                                  # of others, which lead here
    ALLOWS = True                               # pages the microphone

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.broker = RealBroker()
        self.addCleanup(self.close_broker)
        self.server = serve_pages(self, *([self.secured] if self.HOSTS else []))
        self.port = self.server.server_port
        self.user = self.entered(User("user", socket=self.broker.path))
        self.browser = self.BROWSER(self, self.folder, self.broker.path, self.HOSTS, self.ALLOWS)

    def secured(self, listener):
        """HTTPS for names of others, with a certificate of nobody."""
        key, certificate = (os.path.join(self.folder, name) for name in ("key.pem", "certificate.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout",
                        key, "-out", certificate, "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=" + ",".join(f"DNS:{host}" for host in self.HOSTS)],
                       check=True, capture_output=True, timeout=CEILING)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return context.wrap_socket(listener, server_side=True, do_handshake_on_connect=False)

    def close_broker(self):
        if self.broker.process.stdout.closed:   # it was killed, and not started again
            self.broker.start()
        self.broker.close()

    def start_broker(self):
        """The broker again, and a user who knows nothing of before."""
        self.broker.start()
        self.user = self.entered(User("user", socket=self.broker.path))

    def entered(self, client):
        client.__enter__()
        self.addCleanup(client.__exit__, None, None, None)
        return client

    # ---- Pages

    def address(self, page, host="localhost"):
        return f"http://{host}:{self.port}/{page}"

    def call(self, room="room", host="localhost", camera=False, picture=False, **window):
        """Two tabs that are connected: the one with the call, with or without a camera, and its far
        end, with or without a picture."""
        far = self.browser.open(self.address(
            f"far.html?room={room}{'&video' if picture else ''}", host), **window)
        near = self.browser.open(self.address(f"call.html?room={room}", host), **window)
        self.browser.run(near, f"await join(true, {'true' if camera else 'false'})")
        return near, far

    def received(self, tab):
        return self.browser.run(tab, "return await room.received()")

    def gained(self, tab):
        """The energy that a far end gets from now on in fifty packets: a second of sound, in which
        Chromium's microphone beeps."""
        before = self.received(tab)

        def enough():
            now = self.received(tab)
            return now if now["packets"] >= before["packets"] + 50 else None
        now = wait_until("packets arrive", enough)
        return now["energy"] - before["energy"]

    def joined(self, room="room", host="localhost", **video):
        """A page in a call, its far end, and the call."""
        known = set(self.user.calls)
        near, far = self.call(room, host, **video)
        call = self.until(lambda each: each["call"] not in known and each["state"] == "active")
        return near, far, call["call"]

    def assert_silent(self, near, far):
        wait_until("the far end receives silence", lambda: self.gained(far) < 1e-6)
        wait_until("silence is heard", lambda: self.browser.run(near, "return await heard()") < 1e-3)

    def assert_audible(self, near, far):
        wait_until("the far end receives sound", lambda: self.gained(far) > 1e-4)
        wait_until("the far end is heard", lambda: self.browser.run(
            near, "return await heard()") > 0.1)

    def assert_picture(self, tab, is_bright):
        """Waits until a page receives a picture, or a black one."""
        wait_until(f"the picture is {'bright' if is_bright else 'black'}", lambda: (
            self.browser.run(tab, "return room.brightness()") > 100) == is_bright)

    # ---- Calls

    def calls(self, condition=lambda call: True):
        return [call for call in list(self.user.calls.values()) if condition(call)]

    def until(self, condition, what="a call fits"):
        """The first call that fits, as the user sees it."""
        while True:
            for call in list(self.user.calls.values()):
                if condition(call):
                    return call
            self.user.next_event().result(CEILING)

    def until_state(self, call, state):
        return self.until(lambda each: each["call"] == call and each["state"] == state)

    def until_gone(self, call):
        """The entry of the history of a call that ends now."""
        while call in self.user.calls:
            self.user.next_event().result(CEILING)
        entries = self.user.request("history.list", {"limit": 10}).result(CEILING)["entries"]
        return next(entry for entry in entries if entry["call"] == call)

    def app(self, identity="org.example.phone", **members):
        """Another app, which does what it is asked to do."""
        provider = Provider(identity, "Desk phone", handle_types=["phone"], socket=self.broker.path,
                            **members)
        for kind in ("start", "answer", "end", "set_held", "set_muted"):
            provider.on_action(kind)(lambda action: None)
        return self.entered(provider)


def both(case):
    """The tests of a class in both browsers, for `load_tests` by the names of a module."""
    return {f"{case.__name__}In{browser.name}": type(f"{case.__name__}In{browser.name}", (case, World), {
        "BROWSER": browser, "__module__": case.__module__}) for browser in (Chromium, Firefox)}
