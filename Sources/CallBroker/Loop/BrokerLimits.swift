package import BrokerJSON
package import BrokerRPC

/// The limits of the daemon. They are sent in the reply to the hello, so that no client has to
/// guess, and can be set in the configuration file.
package struct BrokerLimits: Equatable, Sendable {
    package var frame = FrameLimits()
    /// Bytes queued for a peer beyond which the broker stops reading from it.
    package var queueSoftBytes = 262_144
    /// Bytes and frames queued for a peer beyond which it must make progress.
    package var queueHardBytes = 1_048_576
    package var queueHardFrames = 1_024
    /// Milliseconds without progress after which a peer beyond the hard bound is dismissed.
    package var stallMS = 5_000
    /// Bytes queued for all peers of one user that do not read: the broker's own user, and any
    /// other.
    package var userQueueBytes = 67_108_864
    package var otherUserQueueBytes = 4_194_304
    package var connections = 16_384
    package var otherUserConnections = 256
    package var otherUserConnectsPerSecond = 50
    package var otherUserRequestsPerSecond = 500
    /// Milliseconds without a hello or a ping after which a new connection is closed.
    package var helloMS = 10_000
    /// Bad frames in a row after which a peer is dismissed.
    package var badFrames = 64
    /// Frames handled per connection and turn of the loop.
    package var framesPerTurn = 64
    /// Milliseconds of a turn that processes which have used much lately share.
    package var turnMS = 3
    /// Events sent per turn of the loop, to all subscriptions together.
    package var eventsPerTurn = 512
    /// Milliseconds that replies may take to leave after the peer has shut its writing side.
    package var halfCloseMS = 30_000
    /// Log lines kept per connection and second.
    package var logLinesPerSecond = 100
    package var subscriptions = 16
    /// Actions that may be queued for one provider. Each makes all decisions about its calls
    /// slower.
    package var queuedActions = 256
    /// Connections that may present calls.
    package var screens = 16
    /// Events, and their bytes, that are kept for subscribers that lag behind or reconnect.
    package var feedEvents = 4_096
    package var feedBytes = 4_194_304

    package init() {}

    /// The bytes of a frame up to which a page of a list is filled: the rest is for the members
    /// around it.
    var pageBytes: Int {
        frame.frameOutBytes - 1_024
    }

    /// A limit with its name in the configuration and in the hello.
    private struct Entry {
        let name: StaticString
        let range: ClosedRange<Int>
        let path: WritableKeyPath<BrokerLimits, Int>
    }

    /// The limits by name. Built at each use: key paths are not Sendable, and speed does not matter
    /// here.
    private static var entries: [Entry] {
        [
            Entry(name: "frame_bytes", range: 1_024...1_048_576, path: \.frame.frameBytes),
            Entry(name: "frame_out_bytes", range: 1_024...1_048_576, path: \.frame.frameOutBytes),
            Entry(name: "depth", range: 4...64, path: \.frame.json.depth),
            Entry(name: "values", range: 64...65_536, path: \.frame.json.values),
            Entry(name: "batch", range: 1...1_024, path: \.frame.batch),
            Entry(name: "id_bytes", range: 16...256, path: \.frame.idBytes),
            Entry(name: "method_bytes", range: 32...256, path: \.frame.methodBytes),
            Entry(name: "pending_requests", range: 1...65_536, path: \.frame.pendingRequests),
            Entry(name: "queue_soft_bytes", range: 4_096...1 << 30, path: \.queueSoftBytes),
            Entry(name: "queue_hard_bytes", range: 4_096...1 << 30, path: \.queueHardBytes),
            Entry(name: "queue_hard_frames", range: 16...1 << 24, path: \.queueHardFrames),
            Entry(name: "stall_ms", range: 10...600_000, path: \.stallMS),
            Entry(name: "user_queue_bytes", range: 4_096...1 << 36, path: \.userQueueBytes),
            Entry(
                name: "other_user_queue_bytes", range: 4_096...1 << 36, path: \.otherUserQueueBytes),
            Entry(name: "connections", range: 1...1 << 20, path: \.connections),
            Entry(
                name: "other_user_connections", range: 0...1 << 20, path: \.otherUserConnections),
            Entry(
                name: "other_user_connects_per_second", range: 1...1 << 20,
                path: \.otherUserConnectsPerSecond),
            Entry(
                name: "other_user_requests_per_second", range: 1...1 << 24,
                path: \.otherUserRequestsPerSecond),
            Entry(name: "hello_ms", range: 10...600_000, path: \.helloMS),
            Entry(name: "bad_frames", range: 1...1 << 20, path: \.badFrames),
            Entry(name: "frames_per_turn", range: 1...65_536, path: \.framesPerTurn),
            Entry(name: "turn_ms", range: 1...1_000, path: \.turnMS),
            Entry(name: "events_per_turn", range: 16...1 << 24, path: \.eventsPerTurn),
            Entry(name: "half_close_ms", range: 10...600_000, path: \.halfCloseMS),
            Entry(name: "log_lines_per_second", range: 0...1 << 20, path: \.logLinesPerSecond),
            Entry(name: "subscriptions", range: 1...4_096, path: \.subscriptions),
            Entry(name: "queued_actions", range: 16...65_536, path: \.queuedActions),
            Entry(name: "screens", range: 1...1_024, path: \.screens),
            Entry(name: "feed_events", range: 16...1 << 20, path: \.feedEvents),
            Entry(name: "feed_bytes", range: 65_536...1 << 30, path: \.feedBytes),
        ]
    }

    /// Writes the members of the object `limits` in the hello.
    package func write(to writer: inout JSONWriter) {
        for entry in Self.entries { writer.member(entry.name, self[keyPath: entry.path]) }
    }

    /// Replaces the limits that are members of `object`.
    package mutating func merge(_ object: JSONValue) throws(ConfigurationError) {
        guard object.kind == .object else { throw ConfigurationError("limits must be an object") }
        let entries = Self.entries
        var limits = self
        try object.forEachMember { (name, value) throws(ConfigurationError) in
            let text = String(decoding: name, as: UTF8.self)
            guard let entry = entries.first(where: { "\($0.name)" == text }) else {
                throw ConfigurationError(
                    "unknown limit limits.\(text); the limits are "
                        + entries.map { "\($0.name)" }.joined(separator: ", "))
            }
            guard let number = value.integer, entry.range.contains(Int(number)) else {
                throw ConfigurationError(
                    "limits.\(text) must be an integer from \(entry.range.lowerBound) to "
                        + "\(entry.range.upperBound)")
            }
            limits[keyPath: entry.path] = Int(number)
        }
        self = limits
    }
}

/// The error of an invalid configuration file, in a sentence that names the place.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
