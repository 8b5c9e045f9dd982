import BrokerRPC
import TestSupport
import Testing

struct MessageFramerRandomTests {
    private static let frameBytes = 16

    private func randomStream(using random: inout SeededRandom) -> [UInt8] {
        var stream: [UInt8] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: stream += random.pick(["", " ", "\r", " \t\r", "  "]).utf8
            case 1:
                stream += [UInt8](repeating: UInt8(ascii: " "), count: random.pick([15, 16, 17]))
            case 2:
                stream += [UInt8](repeating: UInt8(ascii: "x"), count: random.pick([14, 15, 16]))
            case 3:
                let count = Int.random(in: 17...80, using: &random)
                stream += [UInt8](repeating: UInt8(ascii: "y"), count: count)
            default:
                let count = Int.random(in: 1...15, using: &random)
                stream += (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            if random.chance(30) { stream.append(UInt8(ascii: "\r")) }
            stream.append(UInt8(ascii: "\n"))
        }
        if random.chance(50), !stream.isEmpty { stream.removeLast() }
        return stream
    }

    private func randomChunks(_ stream: [UInt8], using random: inout SeededRandom) -> [[UInt8]] {
        let longest = random.pick([1, 3, 20, 200])
        var chunks: [[UInt8]] = []
        var start = 0
        while start < stream.count {
            let end = min(stream.count, start + Int.random(in: 0...longest, using: &random))
            chunks.append(Array(stream[start..<end]))
            start = end
        }
        return chunks
    }

    @Test func `any split of a stream gives the frames of the whole`() throws {
        var random = SeededRandom(for: "splits of a stream")
        for round in 0..<3_000 {
            let stream = randomStream(using: &random)
            let chunks = randomChunks(stream, using: &random)
            try #require(
                cuts(chunks, frameBytes: Self.frameBytes)
                    == expectedCuts(stream, frameBytes: Self.frameBytes),
                "seed \(random.seed), round \(round): \(chunks)")
        }
    }

    @Test func `stopping and resuming anywhere loses nothing and keeps the order`() throws {
        var random = SeededRandom(for: "stops and resumes")
        for round in 0..<3_000 {
            let bytes = randomStream(using: &random)
            let chunks = randomChunks(bytes, using: &random)
            var stream = Stream(frameBytes: Self.frameBytes)
            for chunk in chunks {
                stream.patience = random.pick([nil, 1, 2, 3])
                stream.receive(chunk)
                if random.chance(30) { stream.resume() }
            }
            stream.finish()
            stream.patience = nil
            stream.resume()
            try #require(
                stream.cuts == expectedCuts(bytes, frameBytes: Self.frameBytes),
                "seed \(random.seed), round \(round): \(chunks)")
            #expect(stream.bufferedBytes == 0)
        }
    }
}
