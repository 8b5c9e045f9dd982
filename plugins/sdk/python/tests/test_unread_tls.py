"""What a plugin has in memory: the SDK reads little of Python, and asyncio its TLS when it is used."""
import os
import subprocess
import sys
import unittest

from real_broker import RealBroker
from scripted_broker import HERE

SDK = os.path.dirname(HERE)
HEAVY = {"_hashlib", "_ssl", "bz2", "email", "html", "http", "lzma", "random", "shutil", "tempfile", "uuid"}
SESSION = """\
async def session():
    async with callbroker.Observer("frugal") as observer:
        await observer.ping()
asyncio.run(session())
"""
# A server and a client without certificates, as TLS 1.2 has them.
TLS = """\
import ssl
def context(side):
    made = ssl.SSLContext(side)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.maximum_version = ssl.TLSVersion.TLSv1_2
    made.set_ciphers("AECDH-AES256-SHA:@SECLEVEL=0")
    return made
async def echo(reader, writer):
    writer.write(await reader.readline())
    writer.close()
async def exchange():
    server = await asyncio.start_server(echo, "127.0.0.1", 0, ssl=context(ssl.PROTOCOL_TLS_SERVER))
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=context(ssl.PROTOCOL_TLS_CLIENT))
    assert isinstance(writer.get_extra_info("ssl_object"), ssl.SSLObject)
    writer.write(b"said\\n")
    assert await reader.readline() == b"said\\n"
    writer.close()
asyncio.run(exchange())
"""


def read_by(*lines, **environment):
    """The modules that a program has read in the end."""
    text = "\n".join(["import sys", *lines, "print(*sys.modules)"])
    return set(subprocess.run([sys.executable, "-c", text], check=True, text=True, stdout=subprocess.PIPE,
                              env={**os.environ, "PYTHONPATH": SDK, **environment}).stdout.split())


class UnreadTests(unittest.TestCase):
    def setUp(self):
        self.always = read_by()                 # what a host may let every Python read

    def test_the_import_of_the_sdk_reads_nothing_heavy(self):
        read = read_by("import unread_tls, asyncio, callbroker") - self.always
        self.assertEqual(read & HEAVY, set())
        self.assertIn("callbroker", read)

    def test_a_session_reads_nothing_heavy(self):
        broker = RealBroker()
        self.addCleanup(broker.close)
        read = read_by("import unread_tls, asyncio, callbroker", SESSION, BROKER_SOCKET=broker.path)
        self.assertEqual((read - self.always) & HEAVY, set())

    def test_asyncio_reads_tls_without_the_first_import(self):
        """So the tests above can fail."""
        if "_ssl" not in self.always:
            self.assertIn("_ssl", read_by("import asyncio, callbroker"))

    def test_asyncio_has_tls_when_somebody_uses_it(self):
        self.assertIn("asyncio.sslproto", read_by("import unread_tls, asyncio", TLS))

    def test_modules_that_are_read_already_stay(self):
        read = read_by("import asyncio", "tls = asyncio.sslproto", "import unread_tls",
                       "assert asyncio.sslproto is tls", TLS)
        self.assertIn("_ssl", read)


if __name__ == "__main__":
    unittest.main()
