"""An HTTPS server of the test's own, with certificates of a CA of the test's own. It answers as it
is told to, and keeps what it has received."""
import contextlib
import os
import queue
import random
import socket
import ssl
import subprocess
import threading

CEILING = float(os.environ.get("CEILING", 30.0))
OK = b"HTTP/1.1 204 No Content\r\n\r\n"


def status(number, *fields):
    """A response with that status and those header fields."""
    return "\r\n".join([f"HTTP/1.1 {number} Text", *fields, "Content-Length: 0", "", ""]).encode()


class Authority:
    """A CA, which certifies servers for names and addresses."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate = os.path.join(folder, "ca.pem")
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                      "-nodes", "-days", "2", "-subj", "/CN=Test CA", "-keyout", "ca.key",
                      "-out", "ca.pem")

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def certify(self, *names):
        """A file with a key and a certificate for them, such as DNS:localhost."""
        stem = "server-" + "".join(filter(str.isalnum, "".join(names)))
        with open(os.path.join(self.folder, stem + ".ext"), "w", encoding="utf-8") as file:
            file.write("subjectAltName=" + ",".join(names) + "\n")
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                      "-subj", "/CN=server", "-keyout", stem + ".key", "-out", stem + ".csr")
        self._openssl("x509", "-req", "-in", stem + ".csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                      "-CAcreateserial", "-days", "2", "-extfile", stem + ".ext",
                      "-out", stem + ".crt")
        both = os.path.join(self.folder, stem + ".pem")
        with open(both, "w", encoding="utf-8") as file:
            for part in (".key", ".crt"):
                with open(os.path.join(self.folder, stem + part), encoding="utf-8") as text:
                    file.write(text.read())
        return both


class PostOffice:
    """Serves on a free port of 127.0.0.1 until the test is over.

    Args:
        certificate: for TLS; None for plain HTTP.
        answers: bytes for each connection, one after another; the last one again and again. None
            leaves a request without any answer.
    """

    def __init__(self, test, certificate, *answers, port=0):
        self._answers = list(answers)
        self.received = queue.Queue()           # (line, fields, body)
        self.count = 0
        self._context = None
        if certificate:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._socket = socket.create_server(("127.0.0.1", port))
        self.port = self._socket.getsockname()[1]
        self._open = []
        test.addCleanup(self.close)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def url(self, path="/hook", host="localhost"):
        return f"{'https' if self._context else 'http'}://{host}:{self.port}{path}"

    def next(self):
        return self.received.get(timeout=CEILING)

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)     # wakes accept()
        self._socket.close()
        self._thread.join(CEILING)
        for each in self._open:
            each.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            try:
                self._answer(connection)
            except OSError:                     # a client that does not like the certificate
                connection.close()

    def _answer(self, connection):
        connection.settimeout(CEILING)
        if self._context:
            connection = self._context.wrap_socket(connection, server_side=True)
        self._open.append(connection)
        self.received.put(self._read(connection))
        self.count += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if answer is not None:
            connection.sendall(answer)
            connection.close()

    def _read(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more(connection)
        head, _, body = data.partition(b"\r\n\r\n")
        line, *rows = head.decode().split("\r\n")
        fields = dict(row.split(": ", 1) for row in rows)
        while len(body) < int(fields["Content-Length"]):
            body += self._more(connection)
        return line, fields, body

    def _more(self, connection):
        piece = connection.recv(65_536)
        if not piece:
            raise OSError("the client has gone")
        return piece


def free_port():
    """A port where nothing listens, below those that the kernel gives to whoever wants any."""
    while True:
        port = random.randrange(6_000, 10_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
