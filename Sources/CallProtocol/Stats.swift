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

    /// Turns of the loop that took too long, by their main cause.
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
        .required("connections", .count, "open connections"),
        .required("connections_accepted", .count, "accepted connections"),
        .required("connections_refused", .count, "rejected connections: too many, or too fast"),
        .required("frames_received", .count, "received frames, including bad ones"),
        .required("frames_sent", .count, "sent frames"),
        .required("frames_bad", .count, "received frames that are not valid JSON-RPC"),
        .required("requests", .count, "valid requests"),
        .required("notifications", .count, "valid notifications"),
        .required("responses_ignored", .count, "replies without a request"),
        .required("errors_sent", .count, "error replies"),
        .required("bytes_received", .count, "received bytes"),
        .required("bytes_sent", .count, "sent bytes"),
        .required("bytes_queued", .count, "bytes queued for slow clients"),
        .required("timers", .count, "running timers"),
        .required("turns", .count, "turns of the loop"),
        .required("longest_turn_ms", .count, "the longest turn"),
        .required(
            "stalls",
            .array(
                .object([
                    .required(
                        "what", .string(bytes: 1...128),
                        "the main cause: a method, or a part of the broker's work"),
                    .required("count", .count, "the number of turns"),
                    .required("longest_ms", .count, "the longest turn"),
                ]), count: 0...128), "turns longer than 50 ms, which delay all clients"),
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
