import CallModel
import Testing

struct IdentifierTests {
    @Test func `a UUID reads in any case and writes in lower case`() {
        let text = "0B6E1C1E-5A0F-4F0E-9A51-5b8f4d8c2c11"
        #expect(UUIDBits(text)?.description == text.lowercased())
        #expect(UUIDBits(text) == UUIDBits(text.lowercased()))
        #expect(UUIDBits(text)?.high == 0x0B6E_1C1E_5A0F_4F0E)
        #expect(UUIDBits(text)?.low == 0x9A51_5B8F_4D8C_2C11)
    }

    @Test(arguments: [
        "", "0b6e1c1e5a0f4f0e9a515b8f4d8c2c11", "0b6e1c1e-5a0f-4f0e-9a51-5b8f4d8c2c1",
        "0b6e1c1e-5a0f-4f0e-9a51-5b8f4d8c2c111", "0b6e1c1e-5a0f-4f0e-9a51-5b8f4d8c2c1g",
        "0b6e1c1e_5a0f-4f0e-9a51-5b8f4d8c2c11", "0b6e1c1e-5a0f-4f0e-9a5-15b8f4d8c2c11",
    ])
    func `what is no UUID is refused`(_ text: String) {
        #expect(UUIDBits(text) == nil)
    }

    @Test func `ids made from a counter are version 8, differ, and come out the same again`() {
        let lineage: UInt64 = 0x0123_4567_89AB_CDEF
        let made = (0..<1_000).map { UUIDBits(lineage: lineage, counter: $0) }
        #expect(Set(made).count == 1_000)
        #expect(made == made.sorted())
        #expect(made[1].description == "01234567-89ab-8def-8000-000000000001")
        #expect(made[999] == UUIDBits(lineage: lineage, counter: 999))
    }

    @Test func `every id writes and reads back the same`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let bits = UUIDBits(high: generator.next(), low: generator.next())
            #expect(UUIDBits(bits.description) == bits)
        }
    }

    @Test func `at each place a dash or a hex digit counts, and nothing else`() {
        let good = Array("0b6e1c1e-5a0f-4f0e-9a51-5b8f4d8c2c11".utf8)
        for place in good.indices {
            let isDash = good[place] == UInt8(ascii: "-")
            for byte in UInt8.min...UInt8.max {
                var text = good
                text[place] = byte
                let isRight = isDash ? byte == UInt8(ascii: "-") : Character(byte).isHexDigit
                #expect(text.withUnsafeBufferPointer { UUIDBits(utf8: $0) != nil } == isRight)
            }
        }
    }

    @Test func `an id is written into a buffer of its length, and not beyond`() {
        let bits = UUIDBits(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        var text = Array(("id " + String(repeating: "?", count: 38) + " of a call").utf8)
        text.withUnsafeMutableBytes { bytes in
            let room = bytes[3..<3 + UUIDBits.textBytes]
            bits.write(to: UnsafeMutableRawBufferPointer(rebasing: room))
        }
        #expect(
            String(decoding: text, as: UTF8.self)
                == "id 01234567-89ab-cdef-fedc-ba9876543210?? of a call")
        #expect(Array(text[3..<39]) == bits.utf8)
    }
}

extension Character {
    fileprivate init(_ byte: UInt8) {
        self.init(Unicode.Scalar(byte))
    }
}
