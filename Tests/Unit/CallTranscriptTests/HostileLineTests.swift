import CallArbitration
import CallModel
import TestSupport
import Testing

@testable import CallTranscript

/// Lines that were damaged on the way.
struct HostileLineTests {
    private static func lines(seed: UInt64) -> [[UInt8]] {
        var values = RandomValues(seed: seed)
        var writer = TranscriptWriter()
        for kind in EventKind.allCases { writer.write(values.event(kind), at: values.instant()) }
        for kind in EffectKind.allCases { writer.write(values.effect(kind)) }
        writer.write(values.view())
        writer.write(values.host())
        return writer.bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }

    private static func damage(_ line: inout [UInt8], _ random: inout SeededRandom) {
        let telling = Array("()[]\"\\=:,@+-.# bnull0123456789u\u{0}".utf8) + [0x80, 0xC3, 0xFF]
        let place = Int.random(in: 0..<line.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: line[place] = random.pick(telling)
        case 1: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: line.insert(random.pick(telling), at: place)
        case 3: line.remove(at: place)
        case 4: line.removeSubrange(place...)
        default: line.insert(contentsOf: line[place...].prefix(20), at: place)
        }
        if line.isEmpty { line = [UInt8(ascii: "<")] }
    }

    /// What can be read can be written, and is read again as the same.
    private func check(_ bytes: [UInt8]) throws -> Bool {
        let reader = TranscriptReader()
        let line: TranscriptReader.Line
        do throws(TranscriptError) {
            line = try reader.line(bytes, in: bytes.indices, number: 1)
        } catch {
            #expect(error.column >= 1 && error.column <= bytes.count + 1 && !error.found.isEmpty)
            return false
        }
        var writer = TranscriptWriter()
        switch line {
        case .event(let event, let now): writer.write(event, at: now)
        case .effect(let effect): writer.write(effect)
        case .call(let call): writer.write(call)
        case .host(let host): writer.write(host)
        case .text: return true
        }
        let again = try reader.line(String(writer.text.dropLast()))
        #expect(again == line, "\(String(decoding: bytes, as: UTF8.self))")
        return true
    }

    @Test func `20,000 damaged lines are refused, or mean what they say`() throws {
        var random = SeededRandom(for: "HostileLineTests")
        var good = 0
        for _ in 0..<500 {
            for var line in Self.lines(seed: random.next()).shuffled(using: &random).prefix(40) {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    Self.damage(&line, &random)
                }
                if try check(line) { good += 1 }
                // An author's line may say less, and is read by other ways.
                let source = TranscriptSource(
                    line, line.indices, number: 1, lineage: 1, draft: TranscriptDraft())
                _ = try? source.event()
            }
        }
        #expect(good > 0 && good < 20_000)
    }

    @Test func `a journal's line never takes what only authors may write`() {
        for line in [
            "> button_pressed token=1 press=short", "> @+1 button_pressed token=1 press=short",
            "> @0 button_pressed press=short", "> @0 action_fulfilled action=hold:1 provider=a",
            "> @0 action_fulfilled action=1",
        ] {
            #expect(throws: TranscriptError.self) { try TranscriptReader().line(line) }
        }
    }

    @Test func `deep brackets and many members cost no more than their length`() throws {
        let deep = "< screen call=" + String(repeating: "([", count: 100_000)
        #expect(throws: TranscriptError.self) { try TranscriptReader().line(deep) }
        let closed = deep + String(repeating: "])", count: 100_000)
        #expect(throws: TranscriptError.self) { try TranscriptReader().line(closed) }
        let many = "< screen" + String(repeating: " call=1", count: 100_000)
        #expect(throws: TranscriptError.self) { try TranscriptReader().line(many) }
    }
}
