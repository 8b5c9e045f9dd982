import BrokerJSON
import BrokerRPC
import TestSupport
import Testing

struct BatchReplyTests {
    private let frameOutBytes = FrameLimits().frameOutBytes

    private func add(_ id: RequestID, fill bytes: Int, to batch: inout BatchReply) {
        batch.add(replyTo: id) { writer in
            writer.reply(to: id) { $0.member("a", String(repeating: "x", count: bytes)) }
        }
    }

    /// What stands in a frame: the ids, and for each whether it is a result.
    private func entries(of frame: [UInt8]?) throws -> [String] {
        let frame = try #require(frame)
        #expect(frame.last == UInt8(ascii: "\n"))
        #expect(frame.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        let document = try JSONDocument(parsing: frame)
        return document.root.elements.map { entry in
            let id = written { writer in
                if let id = entry["id"] { writer.value(id) }
            }
            let reason = entry["error"]?["data"]?["reason"]?.string
            return "\(id) \(entry["result"] == nil ? reason ?? "?" : "result")"
        }
    }

    @Test func `replies stand in the order in which they came`() {
        var batch = BatchReply(entries: 3, frameOutBytes: frameOutBytes)
        for id: RequestID in [.integer(2), .text("b"), .integer(1)] {
            batch.add(replyTo: id) { $0.reply(to: id) { $0.member("seq", 1) } }
        }
        let frame = batch.frame().map { String(decoding: $0, as: UTF8.self) }
        #expect(
            frame == #"[{"jsonrpc":"2.0","id":2,"result":{"seq":1}},"#
                + #"{"jsonrpc":"2.0","id":"b","result":{"seq":1}},"#
                + #"{"jsonrpc":"2.0","id":1,"result":{"seq":1}}]"# + "\n")
    }

    @Test func `a single reply is still an array`() {
        var batch = BatchReply(entries: 1, frameOutBytes: frameOutBytes)
        batch.add(replyTo: .integer(1)) { $0.reply(to: .integer(1)) { _ in } }
        let frame = batch.frame().map { String(decoding: $0, as: UTF8.self) }
        #expect(frame == #"[{"jsonrpc":"2.0","id":1,"result":{}}]"# + "\n")
    }

    @Test func `a batch is complete when every entry is answered or skipped`() throws {
        var batch = BatchReply(entries: 3, frameOutBytes: frameOutBytes)
        #expect(!batch.isComplete)
        batch.skip()
        #expect(!batch.isComplete)
        batch.add(replyTo: nil) { writer in
            writer.reply(to: nil, error: RPCError(.invalidRequest, reason: .object, "no"))
        }
        #expect(!batch.isComplete)
        add(.integer(1), fill: 1, to: &batch)
        #expect(batch.isComplete)
        #expect(try entries(of: batch.frame()) == ["null object", "1 result"])
    }

    @Test(arguments: [0, 1, 32])
    func `nothing to answer is answered with nothing`(entries: Int) {
        var batch = BatchReply(entries: entries, frameOutBytes: frameOutBytes)
        for _ in 0..<entries { batch.skip() }
        #expect(batch.isComplete)
        #expect(batch.frame() == nil)
    }

    @Test func `the ids of its requests are remembered`() {
        var batch = BatchReply(entries: 3, frameOutBytes: frameOutBytes)
        #expect(batch.heldIDs == [])
        batch.hold(.integer(1))
        batch.hold(.text("1"))
        #expect(batch.heldIDs == [.integer(1), .text("1")])
    }

    // MARK: - Room

    /// The bytes of a frame with one result of `fill` bytes.
    private func frameBytes(fill: Int) -> Int {
        #"[{"jsonrpc":"2.0","id":1,"result":{"a":""}}]"#.utf8.count + 1 + fill
    }

    @Test(arguments: [1_000, 65_535])
    func `a reply may fill the frame exactly`(frameOutBytes: Int) throws {
        let fill = frameOutBytes - frameBytes(fill: 0)
        var batch = BatchReply(entries: 1, frameOutBytes: frameOutBytes)
        add(.integer(1), fill: fill, to: &batch)
        let frame = try #require(batch.frame())
        #expect(frame.count == frameOutBytes)
        #expect(try entries(of: frame) == ["1 result"])
    }

    @Test(arguments: [1_000, 65_535])
    func `one byte more becomes the error reply_bytes`(frameOutBytes: Int) throws {
        let fill = frameOutBytes - frameBytes(fill: 0) + 1
        var batch = BatchReply(entries: 1, frameOutBytes: frameOutBytes)
        add(.integer(1), fill: fill, to: &batch)
        let frame = batch.frame().map { String(decoding: $0, as: UTF8.self) }
        let error = written { writer in
            writer.reply(to: .integer(1), error: .replyBytes(frameOutBytes))
        }
        #expect(frame == "[\(error)]\n")
    }

    @Test func `the error names the limit`() {
        let expected = RPCError(
            .frameLimit, reason: .replyBytes, "the reply does not fit into one frame"
        ).with {
            $0.limit = RPCError.Limit(name: "reply_bytes", value: 65_535)
            $0.hint = "request less at once"
        }
        #expect(RPCError.replyBytes(65_535) == expected)
    }

    @Test func `a reply too long leaves room for those behind it`() throws {
        var batch = BatchReply(entries: 3, frameOutBytes: frameOutBytes)
        add(.integer(1), fill: 100_000, to: &batch)
        add(.integer(2), fill: 60_000, to: &batch)
        add(.integer(3), fill: 10_000, to: &batch)
        let frame = try #require(batch.frame())
        #expect(try entries(of: frame) == ["1 reply_bytes", "2 result", "3 reply_bytes"])
        #expect(frame.count <= frameOutBytes)
    }

    @Test(arguments: [1_000, 30_000, 44_000, 60_000, 70_000])
    func `32 huge replies with the longest ids still fit`(bytes: Int) throws {
        let ids = (0..<32).map { number in
            RequestID.text("\(number)" + String(repeating: "\u{1}", count: number < 10 ? 63 : 62))
        }
        var batch = BatchReply(entries: 32, frameOutBytes: frameOutBytes)
        for id in ids { add(id, fill: bytes, to: &batch) }
        let frame = try #require(batch.frame())
        #expect(frame.count <= frameOutBytes)
        let entries = try entries(of: frame)
        #expect(entries.count == 32)
        for (entry, id) in zip(entries, ids) {
            #expect(entry.hasPrefix(written { $0.value(id) }))
            #expect(entry.hasSuffix(" result") || entry.hasSuffix(" reply_bytes"))
        }
    }

    @Test func `an error that is too long is replaced like a result`() throws {
        var batch = BatchReply(entries: 1, frameOutBytes: 1_000)
        let hint = String(repeating: "x", count: 1_000)
        let error = RPCError(.notFound, reason: .unknownCall, "no").with { $0.hint = hint }
        batch.add(replyTo: nil) { $0.reply(to: nil, error: error) }
        #expect(try entries(of: batch.frame()) == ["null reply_bytes"])
    }

    @Test func `skipped entries give their room to the others`() throws {
        let fill = frameOutBytes - frameBytes(fill: 0)
        var batch = BatchReply(entries: 32, frameOutBytes: frameOutBytes)
        for _ in 0..<31 { batch.skip() }
        add(.integer(1), fill: fill, to: &batch)
        #expect(try entries(of: batch.frame()) == ["1 result"])
    }

    @Test func `the error with the longest id fits into the room kept for it`() {
        let id = RequestID.text(String(repeating: "\u{1}", count: FrameLimits().idBytes))
        for bytes in [frameOutBytes, 1 << 30] {
            let error = written { $0.reply(to: id, error: .replyBytes(bytes)) }
            #expect(error.utf8.count + ",".utf8.count <= BatchReply.errorBytesMax)
        }
    }

    @Test func `random batches always fit and answer every entry in order`() throws {
        var random = SeededRandom(for: "random batches")
        for round in 0..<200 {
            let count = Int.random(in: 1...32, using: &random)
            var batch = BatchReply(entries: count, frameOutBytes: frameOutBytes)
            var expected: [String] = []
            for number in 0..<count {
                if random.chance(20) {
                    batch.skip()
                    continue
                }
                expected.append("\(number)")
                let fill = random.pick([0, 10, 1_000, 20_000, 64_000, 65_400])
                add(.integer(Int64(number)), fill: fill, to: &batch)
            }
            guard let frame = batch.frame() else {
                #expect(expected == [])
                continue
            }
            try #require(frame.count <= frameOutBytes, "seed \(random.seed), round \(round)")
            let ids = try entries(of: frame).map { String($0.prefix { $0 != " " }) }
            try #require(ids == expected, "seed \(random.seed), round \(round)")
        }
    }
}
