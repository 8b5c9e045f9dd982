"""The sound that goes over the wire, as a capture grows: packets of RTP with PCMU."""
import struct
from typing import NamedTuple

FILE_HEADER, PACKET_HEADER = 24, 16             # bytes, of libpcap's format
ETHERNET, UDP, RTP = 14, 8, 12                  # bytes of headers; loopback has Ethernet's, too
PCMU = 0                                        # the payload type
QUIET, LOUD = 64, 1_000                         # of 32,124; noise and rounding are below the first


class Sound(NamedTuple):
    """A packet of sound."""
    number: int                                 # as tshark counts
    port: int                                   # that it goes to
    payload: bytes

    @property
    def samples(self):
        return [SAMPLES[byte] for byte in self.payload]

    @property
    def loudness(self):
        """That of its loudest sample."""
        return max(map(abs, self.samples))


def expanded(byte):
    """A sample of PCMU, linear (ITU-T G.711)."""
    byte = ~byte & 0xFF
    amplitude = (((byte & 0x0F) << 3) + 0x84 << (byte >> 4 & 0x07)) - 0x84
    return -amplitude if byte & 0x80 else amplitude


SAMPLES = [expanded(byte) for byte in range(256)]


class Sounds:
    """Those in a capture, which may be written still: its last packet may be incomplete."""

    def __init__(self, path):
        self._path, self._at, self._number, self._found = path, FILE_HEADER, 0, []

    def read(self):
        """All that there are until now."""
        with open(self._path, "rb") as file:
            file.seek(self._at)
            contents = file.read()
        at = 0
        while at + PACKET_HEADER <= len(contents):
            length, = struct.unpack_from("<8xI", contents, at)
            end = at + PACKET_HEADER + length
            if end > len(contents):
                break
            self._number += 1
            sound = sound_in(self._number, contents[at + PACKET_HEADER + ETHERNET:end])
            self._found += [sound] if sound is not None else []
            at = end
        self._at += at
        return self._found


def sound_in(number, packet):
    """The sound in a packet of IPv4; None if there is none."""
    header = (packet[0] & 0x0F) * 4
    payload = packet[header + UDP:]
    if packet[9] != 17 or len(payload) <= RTP or payload[0] >> 6 != 2 or payload[1] & 0x7F != PCMU:
        return None
    port, = struct.unpack_from(">2xH", packet, header)
    return Sound(number, port, payload[RTP:])
