/// Scenarios about frames and their content.
extension Scenario {
    static let framing: [Scenario] = [
        Scenario("split_frames", "A frame may arrive in many pieces.") { run in
            try run.begin()
            let wire = try run.wire()
            wire.delivery = .byteByByte
            try run.ping()
            let id = try run.inject("set_muted", on: run.newID(), #"{"muted":true}"#)
            try run.reply(to: id, "set_muted")
        },
        Scenario("joined_frames", "Many frames may arrive at once.") { run in
            try run.begin()
            let wire = try run.wire()
            wire.delivery = .joined
            var ids: [Int] = []
            for number in 1...20 {
                ids.append(wire.ask("broker.ping", #"{"payload":\#(number)}"#))
                try run.notify("x_party.goes_on")
                ids.append(try run.inject("set_muted", on: run.newID(), #"{"muted":true}"#))
            }
            wire.delivery = .whole
            wire.send()
            for id in ids { try run.reply(to: id, "one of forty requests in one write") }
        },
        Scenario("frame_at_limit", "A frame of 65,535 bytes is accepted.") { run in
            try run.begin()
            let head =
                #"{"jsonrpc":"2.0","id":1000,"method":"broker.ping","params":{"payload":""}}"#
            let most = 65_535 - head.utf8.count - 1
            try run.ping("\"" + String(repeating: "x", count: most) + "\"")
        },
        Scenario("blank_lines", "Blank lines, and CR before LF, are ignored.") { run in
            try run.begin()
            try run.wire().delivery = .widelySpaced
            try run.ping()
            let id = try run.inject("set_muted", on: run.newID(), #"{"muted":true}"#)
            try run.reply(to: id, "set_muted")
        },
        Scenario(
            "strings", "Quotes, escapes, UTF-8, emoji and surrogate pairs in strings are accepted."
        ) { run in
            try run.begin()
            for text in Self.strings {
                let id = try run.wire().ask("broker.ping", #"{"payload":"\#(text)"}"#)
                let answer = try run.reply(to: id, "broker.ping")
                guard let payload = answer["result"]?["payload"] else { continue }
                let wanted = try JSONTree(#"["\#(text)"]"#).elements[0]
                if payload != wanted {
                    throw Stop.failed("the payload of a ping was returned changed")
                }
            }
        },
        Scenario(
            "names_like_frames", "A caller's name that looks like a frame is treated as a name."
        ) {
            run in
            try run.begin()
            let name = #"\",\"id\":99,\"method\":\"broker.ping\",\"kind\":\"end\"}\\n{\"id\":98"#
            let id = try run.inject(
                "start", on: run.newID(),
                #"{"remote":{"type":"phone","value":"+15550100"},"contact":"\#(name)"}"#)
            try run.settle(id, "start")
        },
        Scenario("deep_values", "Values nested 30 deep, and 4,000 values in a frame, are accepted.")
        { run in
            try run.begin()
            let deep = String(repeating: "[", count: 29) + String(repeating: "]", count: 29)
            try run.ping(deep)
            let many = "[" + Array(repeating: "0", count: 4_000).joined(separator: ",") + "]"
            try run.ping(many)
        },
    ]

    private static let strings = [
        #"plain"#, #"\"quoted\" and \\ and \/ "#, #"\b\f\n\r\t\u0001\u001f"#, "äöü ß ñ 电话 звонок",
        "📞 🤙🏽 👩‍👩‍👧", #"\ud83d\udcde \uD83E\uDD19"#, "\u{2028}\u{2029}\u{feff}\u{7f}",
        #"{\"jsonrpc\":\"2.0\"}"#, "", " ",
    ]
}
