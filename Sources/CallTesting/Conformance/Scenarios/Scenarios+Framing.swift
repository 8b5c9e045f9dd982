/// How bytes make frames, and what frames may hold.
extension Scenario {
    static let framing: [Scenario] = [
        Scenario("split_frames", "A frame may come in many pieces.") { trial in
            try trial.begin()
            let wire = try trial.wire()
            wire.delivery = .byteByByte
            try trial.ping()
            let id = try trial.inject("set_muted", on: trial.newID(), #"{"muted":true}"#)
            try trial.reply(to: id, "set_muted")
        },
        Scenario("joined_frames", "Many frames may come at once.") { trial in
            try trial.begin()
            let wire = try trial.wire()
            wire.delivery = .joined
            var ids: [Int] = []
            for number in 1...20 {
                ids.append(wire.ask("broker.ping", #"{"payload":\#(number)}"#))
                try trial.tell("x_party.goes_on")
                ids.append(try trial.inject("set_muted", on: trial.newID(), #"{"muted":true}"#))
            }
            wire.delivery = .whole
            wire.send()
            for id in ids { try trial.reply(to: id, "one of forty requests in one write") }
        },
        Scenario("frame_at_limit", "A frame of 65,535 bytes is taken.") { trial in
            try trial.begin()
            let head =
                #"{"jsonrpc":"2.0","id":1000,"method":"broker.ping","params":{"payload":""}}"#
            let most = 65_535 - head.utf8.count - 1
            try trial.ping("\"" + String(repeating: "x", count: most) + "\"")
        },
        Scenario("blank_lines", "Blank lines, and CR before LF, mean nothing.") { trial in
            try trial.begin()
            try trial.wire().delivery = .widelySpaced
            try trial.ping()
            let id = try trial.inject("set_muted", on: trial.newID(), #"{"muted":true}"#)
            try trial.reply(to: id, "set_muted")
        },
        Scenario(
            "strings", "Quotes, escapes, UTF-8, emoji and surrogate pairs in strings are taken."
        ) { trial in
            try trial.begin()
            for text in Self.strings {
                let id = try trial.wire().ask("broker.ping", #"{"payload":"\#(text)"}"#)
                let answer = try trial.reply(to: id, "broker.ping")
                guard let payload = answer["result"]?["payload"] else { continue }
                let wanted = try JSONTree(#"["\#(text)"]"#).elements[0]
                if payload != wanted {
                    throw Stop.failed("the payload of a ping comes back changed")
                }
            }
        },
        Scenario("names_like_frames", "A caller's name that looks like a frame is only a name.") {
            trial in
            try trial.begin()
            let name = #"\",\"id\":99,\"method\":\"broker.ping\",\"kind\":\"end\"}\\n{\"id\":98"#
            let id = try trial.inject(
                "start", on: trial.newID(),
                #"{"remote":{"type":"phone","value":"+15550100"},"contact":"\#(name)"}"#)
            try trial.settle(id, "start")
        },
        Scenario("deep_values", "Values nested 30 deep, and 4,000 values, are taken.") { trial in
            try trial.begin()
            let deep = String(repeating: "[", count: 29) + String(repeating: "]", count: 29)
            try trial.ping(deep)
            let many = "[" + Array(repeating: "0", count: 4_000).joined(separator: ",") + "]"
            try trial.ping(many)
        },
    ]

    private static let strings = [
        #"plain"#, #"\"quoted\" and \\ and \/ "#, #"\b\f\n\r\t\u0001\u001f"#, "äöü ß ñ 电话 звонок",
        "📞 🤙🏽 👩‍👩‍👧", #"\ud83d\udcde \uD83E\uDD19"#, "\u{2028}\u{2029}\u{feff}\u{7f}",
        #"{\"jsonrpc\":\"2.0\"}"#, "", " ",
    ]
}
