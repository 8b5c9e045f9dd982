package import BrokerJSON

/// Counters since the start, in the order they are shown.
package struct StatsResult: Equatable, Sendable {
    package var connections = 0
    package var connectionsAccepted = 0
    package var connectionsRefused = 0
    package var framesReceived = 0
    package var framesSent = 0
    package var framesBad = 0
    package var requests = 0
    package var notifications = 0
    package var responsesIgnored = 0
    package var errorsSent = 0
    package var bytesReceived = 0
    package var bytesSent = 0
    package var bytesQueued = 0
    package var timers = 0
    package var turns = 0
    package var longestTurnMS = 0
    package var stalls: [Stall] = []

    /// Turns of the loop that took longer than they may, because of one kind of thing.
    package struct Stall: Equatable, Sendable {
        package var what: String
        package var count: Int
        package var longestMS: Int

        package init(what: String, count: Int, longestMS: Int) {
            self.what = what
            self.count = count
            self.longestMS = longestMS
        }
    }

    package init() {}

    static let members: [Member] = [
        .required("connections", .count, "open now"),
        .required("connections_accepted", .count, "accepted so far"),
        .required("connections_refused", .count, "closed at the door: too many, too fast"),
        .required("frames_received", .count, "frames read, bad ones too"),
        .required("frames_sent", .count, "frames queued"),
        .required("frames_bad", .count, "frames that are no JSON-RPC as we accept it"),
        .required("requests", .count, "valid requests"),
        .required("notifications", .count, "valid notifications"),
        .required("responses_ignored", .count, "answers nobody waited for"),
        .required("errors_sent", .count, "error replies"),
        .required("bytes_received", .count, "bytes read"),
        .required("bytes_sent", .count, "bytes queued for clients"),
        .required("bytes_queued", .count, "bytes that wait for slow clients now"),
        .required("timers", .count, "timers that run now"),
        .required("turns", .count, "turns of the loop"),
        .required("longest_turn_ms", .count, "the longest of them"),
        .required(
            "stalls",
            .array(
                .object([
                    .required(
                        "what", .string(bytes: 1...128),
                        "what took longest in them: a method, or a part of the broker's work"),
                    .required("count", .count, "how many"),
                    .required("longest_ms", .count, "the longest of them"),
                ]), count: 0...128), "turns of more than 50 ms, while which everybody waited"),
    ]

    package func write(to writer: inout JSONWriter) {
        let values = [
            connections, connectionsAccepted, connectionsRefused, framesReceived, framesSent,
            framesBad, requests, notifications, responsesIgnored, errorsSent, bytesReceived,
            bytesSent, bytesQueued, timers, turns, longestTurnMS,
        ]
        for (member, value) in zip(Self.members, values) { writer.member(member.name, value) }
        writer.name("stalls")
        writer.array { writer in for stall in stalls { writer.object { stall.write(to: &$0) } } }
    }
}

extension StatsResult.Stall {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("what", what)
        writer.member("count", count)
        writer.member("longest_ms", longestMS)
    }
}
