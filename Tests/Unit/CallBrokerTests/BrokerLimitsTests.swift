import BrokerJSON
import BrokerRPC
import CallBroker
import CallTesting
import Testing

struct BrokerLimitsTests {
    @Test func `every limit is served by name with its default`() {
        #expect(
            text(BrokerLimits()) == """
                {"frame_bytes":65536,"frame_out_bytes":65535,"depth":32,"values":4096,\
                "batch":32,"id_bytes":64,"method_bytes":128,"pending_requests":64,\
                "queue_soft_bytes":262144,"queue_hard_bytes":1048576,"queue_hard_frames":1024,\
                "stall_ms":5000,"user_queue_bytes":67108864,"other_user_queue_bytes":4194304,\
                "connections":16384,"other_user_connections":256,\
                "other_user_connects_per_second":50,"other_user_requests_per_second":500,\
                "hello_ms":10000,"bad_frames":64,"frames_per_turn":64,"turn_ms":3,\
                "events_per_turn":512,"half_close_ms":30000,"log_lines_per_second":100,\
                "subscriptions":16,"queued_actions":256,"screens":16,"feed_events":4096,"feed_bytes":4194304}
                """)
    }

    private static let ranges: [(name: String, least: Int, most: Int)] = [
        ("frame_bytes", 1_024, 1_048_576), ("frame_out_bytes", 1_024, 1_048_576),
        ("depth", 4, 64), ("values", 64, 65_536), ("batch", 1, 1_024), ("id_bytes", 16, 256),
        ("method_bytes", 32, 256), ("pending_requests", 1, 65_536),
        ("queue_soft_bytes", 4_096, 1 << 30), ("queue_hard_bytes", 4_096, 1 << 30),
        ("queue_hard_frames", 16, 1 << 24), ("stall_ms", 10, 600_000),
        ("user_queue_bytes", 4_096, 1 << 36), ("other_user_queue_bytes", 4_096, 1 << 36),
        ("connections", 1, 1 << 20), ("other_user_connections", 0, 1 << 20),
        ("other_user_connects_per_second", 1, 1 << 20),
        ("other_user_requests_per_second", 1, 1 << 24), ("hello_ms", 10, 600_000),
        ("bad_frames", 1, 1 << 20), ("frames_per_turn", 1, 65_536), ("turn_ms", 1, 1_000),
        ("events_per_turn", 16, 1 << 24),
        ("half_close_ms", 10, 600_000), ("log_lines_per_second", 0, 1 << 20),
        ("subscriptions", 1, 4_096), ("queued_actions", 16, 65_536), ("screens", 1, 1_024),
        ("feed_events", 16, 1 << 20),
        ("feed_bytes", 65_536, 1 << 30),
    ]

    @Test func `the list of ranges is complete`() throws {
        var names: [String] = []
        let document = try JSONDocument(parsing: Array(text(BrokerLimits()).utf8))
        document.root.forEachMember { name, _ in
            names.append(String(decoding: name, as: UTF8.self))
        }
        #expect(names == Self.ranges.map(\.name))
    }

    @Test(arguments: ranges)
    func `a limit may be anything within its range`(name: String, least: Int, most: Int) throws {
        for value in [least, most] {
            var limits = BrokerLimits()
            try merge(#"{"\#(name)":\#(value)}"#, into: &limits)
            #expect(text(limits).contains(#""\#(name)":\#(value)"#))
            // Nothing else has changed.
            #expect(differences(text(limits), text(BrokerLimits())) <= 1)
        }
    }

    @Test(arguments: ranges)
    func `one beyond is refused and changes nothing`(name: String, least: Int, most: Int) {
        let refusal = ConfigurationError(
            "limits.\(name) must be an integer from \(least) to \(most)")
        for value in [
            "\(least - 1)", "\(most + 1)", "\(Int.min)", "\(Int.max)", "1.5", "null", "\"9\"",
        ] {
            var limits = BrokerLimits()
            #expect(throws: refusal) {
                try merge(#"{"\#(name)":\#(value)}"#, into: &limits)
            }
            #expect(limits == BrokerLimits())
        }
    }

    @Test func `several limits are taken over together`() throws {
        var limits = BrokerLimits()
        try merge(#"{"hello_ms":50,"batch":7,"user_queue_bytes":4096}"#, into: &limits)
        var expected = BrokerLimits()
        expected.helloMS = 50
        expected.frame.batch = 7
        expected.userQueueBytes = 4_096
        #expect(limits == expected)
        try merge("{}", into: &limits)
        #expect(limits == expected)
    }

    @Test func `a limit that does not exist is named, with those that do`() {
        var limits = BrokerLimits()
        let error = #expect(throws: ConfigurationError.self) {
            try merge(#"{"hello_s":1}"#, into: &limits)
        }
        let names = Self.ranges.map(\.name).joined(separator: ", ")
        #expect(error?.description == "unknown limit limits.hello_s; the limits are \(names)")
    }

    @Test(arguments: ["[]", "7", "null", #""frame_bytes""#])
    func `limits are an object`(text: String) {
        var limits = BrokerLimits()
        #expect(throws: ConfigurationError("limits must be an object")) {
            try merge(text, into: &limits)
        }
    }

    private func text(_ limits: BrokerLimits) -> String {
        var writer = JSONWriter()
        writer.object { limits.write(to: &$0) }
        return writer.text
    }

    private func merge(_ text: String, into limits: inout BrokerLimits) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        try limits.merge(document.root)
    }

    private func differences(_ one: String, _ other: String) -> Int {
        zip(one.split(separator: ","), other.split(separator: ",")).count { $0 != $1 }
    }
}
