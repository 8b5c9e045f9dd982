internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallClient
internal import CallProtocol

/// The position after an event, to continue from.
struct EventCursor: Equatable, ExpressibleByArgument {
    let epoch: String
    var seq: Int64

    init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Parses EPOCH:SEQ.
    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 36, let seq = Int64(parts[1]), seq >= 0 else {
            return nil
        }
        self.init(epoch: String(parts[0]), seq: seq)
    }
}

/// `callbroker watch`: events as they are published.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show events as they happen, one line each.",
        discussion: """
            A topic is an exact name, noun.* for all topics of a noun, or * for all. When the \
            connection is lost, watch reconnects and continues after the last event.
            """)

    @Argument(help: "Topics, such as 'call.*'. Default: all.", completion: Suggestions.topics)
    var topics: [String] = []

    @Option(help: "Continue after this event: EPOCH:SEQ, as --json shows them.")
    var since: EventCursor?

    @Flag(help: "Print the params of each event as JSON.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() throws {
        var follower = EventFollower(
            topics: topics.isEmpty ? ["*"] : topics, cursor: since, connection,
            // Patterns do not match topics for admins.
            roles: topics.contains(Topic.pluginLog.rawValue) ? [.observer, .admin] : .observer)
        let isColored = Terminal.isOutput
        do {
            try follower.run { params in
                if json { return StandardOutput.line(ClientOptions.oneLine(params)) }
                let line = EventLine(params)
                guard isColored else { return StandardOutput.line(line.description) }
                StandardOutput.line(line.start, line.topic, inColor: line.color, line.end)
            }
        } catch let failure as ToolFailure {
            throw failure.suggesting("unknown_topic", near)
        }
    }

    private var near: [String] {
        let names = Topic.allCases.map(\.rawValue)
        let unknown = topics.filter { TopicSet(pattern: $0) == nil }
        return unknown.compactMap { NearestName.find($0, in: names) }
    }
}

/// Follows events across lost connections and restarts of the broker.
struct EventFollower {
    private static let firstPauseMS = 100
    private static let pauseMSMax = 5_000

    private let topics: [String]
    private let options: ConnectionOptions
    private let roles: RoleSet
    private var cursor: EventCursor?
    private var pauseMS = firstPauseMS

    init(
        topics: [String], cursor: EventCursor?, _ options: ConnectionOptions,
        roles: RoleSet = .observer
    ) {
        self.topics = topics
        self.cursor = cursor
        self.options = options
        self.roles = roles
    }

    /// Passes on the params of each event, and does not return. The first connection has to succeed.
    ///
    /// - Parameter begin: runs after each subscription, as earlier events may be lost.
    mutating func run(
        begin: () throws -> Void = {}, _ take: (JSONValue) -> Void
    ) throws -> Never {
        var connection = try open(deadline: options.deadline())
        while true {
            try begin()
            while (try? follow(connection, take)) == .gap { try begin() }
            StandardError.write("callbroker: \(Messages.watchReconnecting)\n")
            connection = try reopen()
        }
    }

    /// Reconnects, and waits while no broker answers; an error reply ends the command.
    private mutating func reopen() throws -> PersistentConnection {
        while true {
            HostProcess.pause(milliseconds: pauseMS * Int.random(in: 80...120) / 100)
            pauseMS = min(2 * pauseMS, Self.pauseMSMax)
            do {
                return try open(deadline: options.deadline())
            } catch let failure as ToolFailure where failure.code == .noConnection {
                continue
            } catch let failure as ToolFailure where failure.code == .deadline {
                continue
            }
        }
    }

    private mutating func open(deadline: MonotonicTime) throws -> PersistentConnection {
        let connection = try options.describingErrors { () throws(SocketError) in
            try PersistentConnection(path: options.place.path, deadline: deadline)
        }
        let helloReply = try options.describingErrors { () throws(SocketError) in
            try connection.hello(roles, deadline: deadline)
        }
        let document = try Frame.parse(helloReply)
        if let error = document.root["error"] {
            throw ErrorText(error, nil) { _ in nil }.failure
        }
        try subscribe(connection, deadline)
        pauseMS = Self.firstPauseMS
        return connection
    }

    private mutating func subscribe(
        _ connection: PersistentConnection, _ deadline: MonotonicTime
    ) throws {
        let params = params
        let frame = try options.describingErrors { () throws(SocketError) in
            try connection.request(
                MethodName.subscribe.rawValue, params: params, deadline: deadline)
        }
        let document = try Frame.parse(frame)
        guard let result = document.root["result"] else {
            throw ErrorText(document.root["error"] ?? document.root, nil) { _ in nil }.failure
        }
        let isResync = result["resync"]?.boolean == true
        if isResync { StandardError.write("callbroker: \(Messages.watchEventsLost)\n") }
        guard isResync || cursor == nil, let epoch = result["epoch"]?.string else { return }
        cursor = EventCursor(epoch: epoch, seq: result["seq"]?.integer ?? 0)
    }

    private var params: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("topics", words: topics)
            writer.member("snapshot", false)
            guard let cursor else { return }
            writer.name("cursor")
            writer.object { writer in
                writer.member("epoch", cursor.epoch)
                writer.member("seq", cursor.seq)
            }
        }
        return writer.bytes
    }

    private enum Pause {
        case gap, end
    }

    /// Reads events until the connection ends, or until events are lost and the subscription is
    /// renewed.
    private mutating func follow(
        _ connection: PersistentConnection, _ take: (JSONValue) -> Void
    ) throws -> Pause {
        while let frame = try connection.next(deadline: .never) {
            let document = try Frame.parse(frame)
            guard let params = document.root["params"] else { continue }
            switch document.root["method"]?.string.flatMap(MethodName.init(rawValue:)) {
            case .event:
                if let seq = params["seq"]?.integer { cursor?.seq = seq }
                take(params)
            case .gap:
                try subscribe(connection, options.deadline())
                return .gap
            case .goodbye, .warning: report(params)
            default: break
            }
        }
        return .end
    }

    private func report(_ params: JSONValue) {
        let words = [params["reason"]?.string, params["message"]?.string].compactMap { $0 }
        StandardError.write("callbroker: \(words.joined(separator: ": ").printable)\n")
    }
}
