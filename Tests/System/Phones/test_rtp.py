"""Sound in captures: which packets have it, and how loud it is."""
import os
import struct
import tempfile
import unittest

import lab  # noqa: F401  (finds the support)
from rtp import FILE_HEADER, SAMPLES, Sounds

SILENCE, LOUDEST = 0xFF, 0x80


def packet(payload, port=4002, kind=0, protocol=17):
    """As tcpdump writes it: a packet of RTP in UDP, IPv4 and Ethernet."""
    rtp = bytes((0x80, kind)) + bytes(10) + bytes(payload)
    udp = struct.pack(">HHHH", 4000, port, 8 + len(rtp), 0) + rtp
    ip = bytes((0x45, 0)) + bytes(7) + bytes((protocol,)) + bytes(10) + udp
    frame = bytes(14) + ip
    return struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame


class RTPTests(unittest.TestCase):
    def setUp(self):
        handle, self.path = tempfile.mkstemp()
        self.addCleanup(os.remove, self.path)
        os.write(handle, bytes(FILE_HEADER))
        os.close(handle)
        self.sounds = Sounds(self.path)

    def write(self, contents):
        with open(self.path, "ab") as file:
            file.write(contents)

    def read(self):
        return [(sound.number, sound.port, sound.loudness) for sound in self.sounds.read()]

    def test_samples_are_those_of_the_recommendation(self):
        # ITU-T G.711, table 2a: the decoder's outputs, in 14 bits, of which four are made sixteen here.
        for byte, value in ((0x80, 32_124), (0x8F, 16_764), (0x9F, 8_316), (0xEF, 132), (0xFE, 8),
                            (SILENCE, 0), (0x00, -32_124), (0x7F, 0)):
            self.assertEqual(SAMPLES[byte], value, hex(byte))

    def test_a_packet_is_as_loud_as_its_loudest_sample(self):
        self.write(packet([SILENCE] * 160) + packet([SILENCE, 0x00] * 80, port=4004))
        self.assertEqual(self.read(), [(1, 4002, 0), (2, 4004, 32_124)])

    def test_other_packets_are_counted_and_left_out(self):
        self.write(packet([LOUDEST], kind=8) + packet([LOUDEST], protocol=6) + packet([])
                   + packet([LOUDEST]))
        self.assertEqual(self.read(), [(4, 4002, 32_124)])

    def test_a_packet_that_is_being_written_is_read_later(self):
        whole = packet([LOUDEST])
        for part in (whole[:10], whole[10:30]):
            self.write(part)
            self.assertEqual(self.read(), [])
        self.write(whole[30:] + packet([SILENCE]))
        self.assertEqual(self.read(), [(1, 4002, 32_124), (2, 4002, 0)])


if __name__ == "__main__":
    unittest.main()
