"""Messages of web push as servers encrypt them: RFC 8291, one record of RFC 8188's `aes128gcm`."""
from __future__ import annotations

import base64
import binascii
import secrets
import struct
from typing import Dict, Tuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SALT_BYTES, AUTH_BYTES, PUBLIC_BYTES, TAG_BYTES = 16, 16, 65, 16
HEADER = struct.Struct(f"!{SALT_BYTES}sIB")     # salt, record size, length of the key that follows
LAST_RECORD = 2                                 # the delimiter before its padding
CURVE = ec.SECP256R1()


class Undecipherable(Exception):
    """The message is not encrypted for these keys, or not as the RFC says; the text says which."""


class Keys:
    """The keys of one address: a private key of P-256, and the secret that its server shares."""

    def __init__(self, private: ec.EllipticCurvePrivateKey, auth: bytes) -> None:
        self._private, self._auth = private, auth
        self._public = public_bytes(private.public_key())

    @staticmethod
    def made() -> Keys:
        return Keys(ec.generate_private_key(CURVE), secrets.token_bytes(AUTH_BYTES))

    @staticmethod
    def restored(kept: Dict[str, str]) -> Keys:
        """Those of `kept()`. `ValueError` or `KeyError` if it is damaged."""
        number, auth = decoded(kept["private"]), decoded(kept["auth"])
        if len(auth) != AUTH_BYTES:
            raise ValueError("no secret")
        return Keys(ec.derive_private_key(int.from_bytes(number, "big"), CURVE), auth)

    def kept(self) -> Dict[str, str]:
        """For a private file."""
        number = self._private.private_numbers().private_value
        return {"private": encoded(number.to_bytes(32, "big")), "auth": encoded(self._auth)}

    def published(self) -> Dict[str, str]:
        """For the server, with the names of the Push API (`PushSubscription`)."""
        return {"p256dh": encoded(self._public), "auth": encoded(self._auth)}

    def decrypt(self, message: bytes) -> bytes:
        """What the server has encrypted. `Undecipherable` for anything else."""
        if len(message) < HEADER.size:
            raise Undecipherable("it is shorter than the header of encrypted content")
        salt, record_size, length = HEADER.unpack_from(message)
        sender, record = message[HEADER.size:HEADER.size + length], message[HEADER.size + length:]
        if length != PUBLIC_BYTES or len(sender) != length:
            raise Undecipherable("it has no key of P-256")
        if not TAG_BYTES < len(record) <= record_size:
            raise Undecipherable("it is not one record")
        key, nonce = self._derive(sender, salt)
        try:
            padded = AESGCM(key).decrypt(nonce, record, None)
        except InvalidTag:
            raise Undecipherable("it is not encrypted for this address") from None
        content = padded.rstrip(b"\0")
        if content[-1:] != bytes([LAST_RECORD]):
            raise Undecipherable("its padding is wrong")
        return content[:-1]

    def _derive(self, sender: bytes, salt: bytes) -> Tuple[bytes, bytes]:
        """The key and the nonce of a message."""
        try:
            public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        except ValueError:
            raise Undecipherable("its key is not on the curve") from None
        shared = self._private.exchange(ec.ECDH(), public)
        return content_keys(shared, self._auth, self._public, sender, salt)


def content_keys(shared: bytes, auth: bytes, receiver: bytes, sender: bytes,
                 salt: bytes) -> Tuple[bytes, bytes]:
    """The key and the nonce of RFC 8291, section 3.4."""
    material = derived(shared, auth, b"WebPush: info\0" + receiver + sender, 32)
    return (derived(material, salt, b"Content-Encoding: aes128gcm\0", 16),
            derived(material, salt, b"Content-Encoding: nonce\0", 12))


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(data: bytes) -> str:
    """Base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decoded(text: str) -> bytes:
    """`ValueError` if it is not that."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, TypeError) as error:
        raise ValueError(str(error)) from None
