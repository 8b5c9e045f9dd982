import CallArbitration
import CallModel
import TestSupport
import Testing

@testable import CallTranscript

/// Events as a journal keeps them: bytes that read as what they were, whatever has become of them.
struct StoredEventTests {
    private func bytes(of event: ArbiterEvent, at now: Instant) -> [UInt8] {
        var writer = StateWriter()
        writer.write(event, at: now)
        return writer.bytes
    }

    private func read(_ bytes: some Collection<UInt8>) throws(StateError) -> ArbiterEvent {
        var reader = StateReader(Array(bytes)[...])
        let event = try reader.readEvent().event
        try reader.finish()
        return event
    }

    @Test(arguments: 1...200) func `every event comes back as it was`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for kind in EventKind.allCases {
            let (event, now) = (values.event(kind), values.instant())
            let stored = bytes(of: event, at: now)
            var reader = StateReader(stored[...])
            let again = try reader.readEvent()
            #expect(again.event == event && again.now == now, "\(kind)")
            #expect(reader.bytesLeft == 0)
            #expect(bytes(of: again.event, at: now) == stored, "\(kind)")
        }
    }

    @Test func `an action that is done is stored as ever, unless its time is said`() throws {
        let (action, provider) = (ActionID(UUIDBits(high: 1, low: 2)), ProviderID("org.example.a"))
        let (now, at) = (Instant.zero.advanced(byMS: 2), Instant.zero.advanced(byMS: 1))
        let plain = bytes(of: .actionFulfilled(action, by: provider), at: now)
        let timed = bytes(of: .actionFulfilled(action, by: provider, at: at), at: now)
        let time = bytes(of: .brokerRestarted(isSameBoot: true), at: now).count - 2
        var expected = plain
        expected[time] = 25
        var writer = StateWriter()
        writer.write(at)
        #expect(plain[time] == 16)
        #expect(timed == expected + writer.bytes)
    }

    @Test func `events are read one after the other`() throws {
        var values = RandomValues(seed: 1)
        let events = EventKind.allCases.map { values.event($0) }
        var writer = StateWriter()
        for event in events { writer.write(event, at: .zero) }
        var reader = StateReader(writer.bytes[...])
        for event in events { #expect(try reader.readEvent().event == event) }
        try reader.finish()
    }

    @Test func `an emptied writer begins anew`() {
        let event = ArbiterEvent.brokerRestarted(isSameBoot: true)
        var writer = StateWriter()
        writer.write(event, at: .zero)
        writer.removeAll()
        writer.write(event, at: .zero)
        #expect(writer.bytes == bytes(of: event, at: .zero))
    }

    @Test(arguments: 1...20) func `a part of an event is a fault`(seed: UInt64) {
        var values = RandomValues(seed: seed)
        for kind in EventKind.allCases {
            let stored = bytes(of: values.event(kind), at: values.instant())
            for count in 0..<stored.count {
                #expect(throws: StateError.self, "\(kind)") { try read(stored.prefix(count)) }
            }
        }
    }

    @Test(arguments: 1...5) func `a flipped bit gives a fault or another event`(seed: UInt64) {
        var values = RandomValues(seed: seed)
        for kind in EventKind.allCases {
            var stored = bytes(of: values.event(kind), at: values.instant())
            for bit in 0..<stored.count * 8 {
                stored[bit / 8] ^= 1 << (bit % 8)
                defer { stored[bit / 8] ^= 1 << (bit % 8) }
                guard let other = try? read(stored) else { continue }
                let again = try? read(bytes(of: other, at: .zero))
                #expect(again == other, "\(kind), bit \(bit)")
            }
        }
    }

    @Test func `any bytes give a fault or an event`() {
        var random = SeededRandom(for: "any bytes")
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...80, using: &random)
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Mostly small numbers, which are words and lengths.
            for index in bytes.indices where random.chance(60) { bytes[index] &= 0x1F }
            guard let event = try? read(bytes) else { continue }
            #expect((try? read(self.bytes(of: event, at: .zero))) == event)
        }
    }

    @Test func `a length that cannot be is a fault before room is made for it`() {
        // A transaction_requested at 0 of token 0 by the user with 2^62 actions.
        let huge: [UInt8] =
            [0, 9, 0, 0] + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F]
        #expect(
            throws: StateError.unexpected(
                found: (1 << 62) - 1, expected: "the length of a list that fits into the rest",
                at: huge.count)
        ) { try read(huge) }
    }

    @Test func `a fault says what was expected, what was found, and where`() {
        #expect(
            throws: StateError.unexpected(found: 99, expected: "an event", at: 2)
        ) { try read([0, 99]) }
        #expect(
            StateError.unexpected(found: 99, expected: "an event", at: 2).description
                == "byte 2: expected an event, found 99")
        #expect(throws: StateError.cutOff(at: 1)) { try read([0]) }
    }
}
