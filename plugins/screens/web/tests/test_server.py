"""Who is let in by the server, what it gives out, and what it carries to the broker."""
import base64
import json
import os
import socket
import stat
import struct
import unittest

from browser import CEILING, PLUGIN, SCREEN, Program, World, phone, wait_until


class Socket:
    """A WebSocket, as small as will do."""

    def __init__(self, world, **headers):
        self.connection = socket.create_connection(world.host.split(":"), timeout=CEILING)
        world.test.addCleanup(self.connection.close)
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Host": world.host, "Upgrade": "websocket", "Connection": "Upgrade",
                  "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13",
                  "Origin": "http://" + world.host, **headers}
        lines = [f"{name}: {value}" for name, value in fields.items() if value is not None]
        self.connection.sendall("\r\n".join(["GET /broker HTTP/1.1", *lines, "", ""]).encode())
        self.input = self.connection.makefile("rb")
        self.status = int(self.input.readline().split()[1])
        while self.input.readline().strip():
            pass

    def send(self, payload, opcode=1, final=True, length=None):
        mask = os.urandom(4)
        count = len(payload) if length is None else length
        head = bytes([(0x80 if final else 0) | opcode, 0x80 | (count if count < 126 else 127)])
        if count >= 126:
            head += struct.pack(">Q", count)
        self.connection.sendall(head + mask + bytes(
            byte ^ mask[index % 4] for index, byte in enumerate(payload)))

    def receive(self):
        """The opcode and the payload of the next frame."""
        first, count = self.input.read(2)
        if count == 126:
            count, = struct.unpack(">H", self.input.read(2))
        elif count == 127:
            count, = struct.unpack(">Q", self.input.read(8))
        return first & 15, self.input.read(count)

    def request(self, method, **params):
        self.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())

    def hello(self):
        self.request("broker.hello", protocol={"min": 1, "max": 1}, roles=["observer"],
                     client={"name": "test", "version": "1"})
        return json.loads(self.receive()[1])["result"]


class ServerTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)

    def cookie(self):
        """That of a browser that has come with the address."""
        response = self.world.get(self.world.address.split(self.world.host)[1])
        self.assertEqual((response.status, response.headers["Location"]), (303, "/"))
        return response.headers["Set-Cookie"]

    def let_in(self):
        return {"Cookie": self.cookie().split(";")[0]}

    def test_an_address_lets_one_browser_in_once(self):
        cookie = self.cookie()
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(word, cookie)
        again = self.world.get(self.world.address.split(self.world.host)[1])
        self.assertEqual(again.status, 401)
        self.assertIsNone(again.headers["Set-Cookie"])

    def test_nothing_is_given_to_strangers(self):
        for path in ("/", "/index.html", "/main.js", "/messages/en.json", "/?token=", "/?token=0"):
            self.assertEqual(self.world.get(path).status, 401, path)
        cookie = self.let_in()["Cookie"]
        self.assertEqual(self.world.get("/", {"Cookie": cookie[:-1] + "x"}).status, 401)
        self.assertEqual(Socket(self.world).status, 401)
        self.assertEqual(Socket(self.world, Cookie=cookie).status, 101)

    def test_only_its_own_pages_may_ask(self):
        known = self.let_in()
        own = "http://" + self.world.host
        self.assertEqual(self.world.get("/", {**known, "Origin": own}).status, 200)
        for headers in ({"Origin": "http://example.org"}, {"Origin": "null"}, {"Host": "example.org"},
                        {"Host": "127.0.0.1"}, {"Host": "127.0.0.1:1"},
                        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}):
            self.assertEqual(self.world.get("/", {**known, **headers}).status, 403, headers)
        for headers in ({"Origin": None}, {"Origin": "http://example.org"},
                        {"Origin": own.replace("http", "https")}, {"Host": "example.org"}):
            self.assertEqual(Socket(self.world, **{**known, **headers}).status, 403, headers)

    def test_no_other_file_is_given_out(self):
        known = self.let_in()
        for path in ("/../Package.swift", "/messages/../../README.md", "/.gitignore", "//etc/passwd",
                     "/%2e%2e/Package.swift", "/messages/README.md", "/page/main.js", "/tests",
                     "/messages/en.json/x", "/" + "a" * 300 + ".js"):
            self.assertEqual(self.world.get(path, known).status, 404, path)
        self.assertEqual(self.world.get("/main.js", known, "DELETE").status, 405)

    def test_each_file_of_the_page_has_its_type_and_is_kept(self):
        known = self.let_in()
        for name in os.listdir(os.path.join(PLUGIN, "page")):
            response = self.world.get("/" + name, known)
            self.assertEqual(response.status, 200, name)
            self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")
            policy = response.headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'; script-src 'self'; style-src 'self'", policy)
            self.assertNotIn("unsafe", policy)
            kept = self.world.get("/" + name, {**known, "If-None-Match": response.headers["ETag"]})
            self.assertEqual((kept.status, kept.body), (304, b""))
            head = self.world.get("/" + name, known, "HEAD")
            self.assertEqual((head.status, head.body), (200, b""))

    def test_what_is_no_request_is_refused(self):
        for text in ("GET / HTTP/1.0\r\n\r\n", "nonsense\r\n\r\n", "GET http://x/ HTTP/1.1\r\n\r\n",
                     "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                     "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"):
            self.assertTrue(self.raw(text).startswith(b"HTTP/1.1 400"), text)
        self.assertEqual(self.raw("GET / HTTP/1.1\r\nX: " + "a" * 100_000), b"")

    def raw(self, text):
        with socket.create_connection(self.world.host.split(":"), timeout=CEILING) as connection:
            try:
                connection.sendall(text.encode())
                return connection.recv(4_096)
            except ConnectionError:
                return b""

    def test_frames_go_to_the_broker_and_back(self):
        page = Socket(self.world, **self.let_in())
        self.assertEqual(page.hello()["granted_roles"], ["observer"])
        # One message in two frames, with a line break within, and a ping between them.
        page.send(b'{"jsonrpc":"2.0","id":2,\n', final=False)
        page.send(b"hello", opcode=9)
        page.send(b'"method":"call.list"}', opcode=0)
        self.assertEqual(json.loads(page.receive()[1])["result"]["calls"], [])
        page.send(b"hello", opcode=9)
        self.assertEqual(page.receive(), (10, b"hello"))
        page.send(b"", opcode=8)
        wait_until("the connection is closed", lambda: page.connection.recv(64) == b"" or True)

    def test_a_message_has_a_limit(self):
        known = self.let_in()
        for length, parts in ((1_048_577, 1), (1 << 40, 1), (700_000, 2)):
            page = Socket(self.world, **known)
            for part in range(parts):
                page.send(b"x" * length if parts > 1 else b"", opcode=0 if part else 1, final=False,
                          length=length)
            opcode, payload = page.receive()
            self.assertEqual((opcode, payload), (8, struct.pack(">H", 1009)), length)

    def test_what_is_no_frame_is_refused(self):
        known = self.let_in()
        for opcode in (0, 2, 3, 11):
            page = Socket(self.world, **known)
            page.send(b"x", opcode=opcode)
            self.assertEqual(page.receive(), (8, struct.pack(">H", 1002)), opcode)
        page = Socket(self.world, **known)
        page.connection.sendall(b"\x81\x01x")   # not masked
        self.assertEqual(page.receive(), (8, struct.pack(">H", 1002)))

    def test_a_page_that_does_not_read_keeps_nobody_waiting(self):
        known = self.let_in()
        stuck, brisk = Socket(self.world, **known), Socket(self.world, **known)
        stuck.hello()
        brisk.hello()
        stuck.request("events.subscribe", topics=["*"])
        app = self.world.app()
        for number in range(300):
            call = self.world.rings(app, f"+1555{number:07}", display_name="x" * 100)
            app.report_ended(call, "remote_ended").result(CEILING)
        brisk.request("call.list")
        self.assertEqual(json.loads(brisk.receive()[1])["result"]["calls"], [])
        with open(f"/proc/{self.world.server.process.pid}/status", encoding="ascii") as file:
            resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        self.assertLess(resident, 80_000)

    def test_without_a_broker_the_page_is_told(self):
        known = self.let_in()
        self.world.broker.kill()
        self.assertEqual(Socket(self.world, **known).status, 503)
        self.assertEqual(self.world.get("/", known).status, 200)

    def test_a_page_is_told_when_the_broker_goes(self):
        page = Socket(self.world, **self.let_in())
        page.hello()
        self.world.broker.kill()
        self.assertEqual(page.receive(), (8, struct.pack(">H", 1001)))

    def test_a_running_server_gives_out_addresses_to_its_user_alone(self):
        path = os.path.join(self.world.folder, "callbroker", "screen.sock")
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode), 0o700)
        first, second = self.world.fresh_address(), self.world.fresh_address()
        self.assertNotEqual(first, second)
        for address in (first, second):
            self.assertEqual(self.world.get(address.split(self.world.host)[1]).status, 303)

    def test_it_listens_on_loopback_only(self):
        port = int(self.world.host.split(":")[1])
        with open("/proc/net/tcp", encoding="ascii") as file:
            places = [line.split()[1] for line in file if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{port:04X}", places)
        self.assertNotIn(f"00000000:{port:04X}", places)

    def test_a_server_that_was_killed_is_followed_by_another(self):
        self.world.server.kill()
        self.world.start_server("--port", self.world.host.split(":")[1], name="next")
        self.cookie()

    def test_wrong_arguments_and_a_taken_port_are_explained(self):
        environment = {**self.world.environment, "XDG_RUNTIME_DIR": os.path.join(self.world.folder, "x")}
        os.mkdir(environment["XDG_RUNTIME_DIR"])
        for arguments, status, words in (
                (["--prot", "1"], 2, "see callbroker-screen --help"),
                (["--port", self.world.host.split(":")[1]], 1, "is not free"),
                (["--help"], 0, "usage: callbroker-screen")):
            program = Program(self, self.world.folder, "wrong", [SCREEN, *arguments], environment)
            self.assertEqual(program.wait(), status)
            self.assertIn(words, program.said())

    def test_the_browser_is_opened(self):
        opened = os.path.join(self.world.folder, "opened")
        program = os.path.join(self.world.folder, "xdg-open")
        with open(program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho \"$1\" >{opened}.new && mv {opened}.new {opened}\n")
        os.chmod(program, 0o700)
        environment = {**self.world.environment, "PATH": self.world.folder + ":" + os.environ["PATH"]}
        screen = Program(self, self.world.folder, "open", [SCREEN, "--open"], environment)
        self.assertEqual(screen.wait(), 0)
        wait_until("it is opened", os.path.exists, opened)
        with open(opened, encoding="utf-8") as file:
            self.assertEqual(file.read(), screen.said())


if __name__ == "__main__":
    unittest.main()
