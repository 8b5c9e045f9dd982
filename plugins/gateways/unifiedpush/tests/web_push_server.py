"""The server of an app: encrypts as RFC 8291 says, and sends over HTTP."""
import json
import os
import secrets
import struct
import sys
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE)]

from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402
from programs import CEILING  # noqa: E402

from web_push import content_keys, decoded, public_bytes  # noqa: E402

RECORD_BYTES = 4_096


def encrypt(keys, text, private=None, salt=None, padding=0):
    """The body for what the app's `keys` (p256dh, auth) are of."""
    private = private or ec.generate_private_key(ec.SECP256R1())
    salt = salt or secrets.token_bytes(16)
    receiver, sender = decoded(keys["p256dh"]), public_bytes(private.public_key())
    shared = private.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    key, nonce = content_keys(shared, decoded(keys["auth"]), receiver, sender, salt)
    record = AESGCM(key).encrypt(nonce, text + b"\2" + bytes(padding), None)
    return salt + struct.pack("!IB", RECORD_BYTES, len(sender)) + sender + record


def post(endpoint, body):
    """The status of the response."""
    request = urllib.request.Request(endpoint, body, {
        "Content-Encoding": "aes128gcm", "Urgency": "high", "TTL": "30"})
    try:
        with urllib.request.urlopen(request, timeout=CEILING) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def push(address, payload):
    """Sends an object to an address that is a subscription, in JSON."""
    subscription = json.loads(address)
    return post(subscription["endpoint"],
                encrypt(subscription["keys"], json.dumps(payload).encode()))
