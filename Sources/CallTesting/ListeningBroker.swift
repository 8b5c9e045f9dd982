internal import BrokerSocket
internal import CallBroker
internal import Logging
internal import Synchronization

/// A broker for apps that connect by themselves, with a socket of its own, a thread in the test's
/// process, and a clock that only the test moves.
///
/// ```swift
/// let broker = try ListeningBroker()
/// defer { broker.stop() }
/// let app = MyApp(socketPath: broker.socketPath)          // or BROKER_SOCKET
/// try await app.connect()
/// try await broker.advance(by: .seconds(60))
/// ```
///
/// The app runs in real time; ``settle(ignoring:within:)`` waits until all clients have answered
/// the broker's requests. For tests without a real app ``TestBroker`` is simpler.
public final class ListeningBroker: Sendable {
    /// The error of a broker that could not start, or of a request that it refused.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence for people.
        public let description: String
    }

    /// The path of the socket, for `ClientOptions.socketPath` or `BROKER_SOCKET`.
    public let socketPath: String
    private let folder: String
    private let admin: Mutex<Admin>

    /// The connection of the test itself.
    private struct Admin: ~Copyable {
        let socket: BlockingSocket
        var lastID = 0
    }

    /// The time limit of the start and of each reply; neither should come near it.
    private static let patienceMS = 60_000

    /// Starts a broker.
    ///
    /// - Throws: ``Failure`` if the broker cannot listen.
    public init() throws {
        do throws(SocketError) {
            folder = try HostFile.makeTemporaryFolder(
                prefix: "callbroker-test", environment: Environment.current)
            socketPath = folder + "/broker.sock"
            let problem = Problem()
            try Self.serve(socketPath, problem)
            let socket = try Self.connect(to: socketPath, problem)
            admin = Mutex(Admin(socket: socket))
        } catch {
            throw Failure(description: "\(error)")
        }
        _ = try ask(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"test","version":"1"},"#
                + #""roles":["admin","controller","observer"],"features":["tone","alerting","external_calls"]}"#
        )
    }

    /// The error that ended the broker's thread.
    private final class Problem: Sendable {
        let error = Mutex<SocketError?>(nil)
    }

    private static func serve(_ path: String, _ problem: Problem) throws(SocketError) {
        var options = ServeOptions(environment: [:])
        options.socket = path
        options.isTestMode = true
        options.announces = false
        let chosen = options
        try HostThread.start {
            do {
                let logger = Logger(label: "callbroker") { _ in SwiftLogNoOpLogHandler() }
                try Daemon(chosen, logger: logger, LineWriter()).run()
            } catch {
                problem.error.withLock { $0 = SocketError(.unusable, "\(error)") }
            }
        }
    }

    private static func connect(
        to path: String, _ problem: Problem
    ) throws(SocketError) -> BlockingSocket {
        let deadline = MonotonicTime.now().advanced(milliseconds: patienceMS)
        while true {
            do throws(SocketError) {
                return try BlockingSocket(path: path, deadline: deadline)
            } catch {
                if let problem = problem.error.withLock({ $0 }) { throw problem }
                guard error.kind == .noListener, MonotonicTime.now() < deadline else { throw error }
                HostProcess.pause(milliseconds: 1)
            }
        }
    }

    deinit {
        stop()
    }

    // MARK: - Requests of the test

    /// Makes a request with the roles of an administrator, the user and an observer.
    ///
    /// - Parameters:
    ///   - method: the name on the wire, such as `call.answer`.
    ///   - params: a JSON object.
    /// - Returns: the result.
    /// - Throws: ``Failure`` with the broker's message if the reply is an error.
    @discardableResult
    public func request(_ method: String, _ params: String = "{}") async throws -> JSONTree {
        // The caller's thread may be needed by the app that has to act meanwhile.
        let reply = Promise<Result<JSONTree, any Error>>()
        try HostThread.start { [self] in reply.settle(Result { try ask(method, params) }) }
        return try await reply.value().get()
    }

    /// Moves the clock. Timers that become due fire in order and at their times.
    public func advance(by duration: Duration) async throws {
        try await request("test.advance", #"{"ms":\#(duration.wholeMilliseconds)}"#)
    }

    /// Moves the clock, and waits before each step until all clients have answered the broker's
    /// requests.
    ///
    /// - Parameters:
    ///   - duration: the time to move the clock by.
    ///   - ignored: the identities of clients that need not answer.
    ///   - limit: the time that a client may take for an answer, in real time.
    /// - Throws: ``Failure``, which names the clients and the requests; then the clock stops where
    ///   it is.
    public func advanceSettling(
        by duration: Duration, ignoring ignored: [String] = [],
        within limit: Duration = .seconds(30)
    ) async throws {
        let patience = Self.patience(ignored, limit)
        try await request(
            "test.advance",
            #"{"ms":\#(duration.wholeMilliseconds),"settle":true,\#(patience)}"#)
    }

    /// Waits until all clients have answered the broker's requests.
    ///
    /// - Parameters:
    ///   - ignored: the identities of clients that need not answer.
    ///   - limit: the time that a client may take for an answer, in real time.
    /// - Throws: ``Failure``, which names the clients and the requests.
    public func settle(
        ignoring ignored: [String] = [], within limit: Duration = .seconds(30)
    ) async throws {
        try await request("test.settle", "{\(Self.patience(ignored, limit))}")
    }

    private static func patience(_ ignored: [String], _ limit: Duration) -> String {
        let names = JSONTree.array(ignored.map { .string($0) }).json
        return #""ignore":\#(names),"limit_ms":\#(limit.wholeMilliseconds)"#
    }

    /// Stops the broker, which sends a goodbye to all clients. A second call has no effect.
    public func stop() {
        // A broker that was stopped before does not answer.
        _ = try? ask("broker.shutdown", "{}")
        HostFile.remove(socketPath)
        HostFile.remove(socketPath + ".lock")
        HostFile.removeFolder(folder)
    }

    private func ask(_ method: String, _ params: String) throws -> JSONTree {
        let reply = try admin.withLock { admin in
            admin.lastID += 1
            let frame =
                #"{"jsonrpc":"2.0","id":\#(admin.lastID),"method":"\#(method)","#
                + #""params":\#(params)}"#
            let deadline = MonotonicTime.now().advanced(milliseconds: Self.patienceMS)
            try admin.socket.send(Array(frame.utf8) + [0x0A], deadline: deadline)
            while let line = try admin.socket.receiveLine(deadline: deadline) {
                let tree = try JSONTree(String(decoding: line, as: UTF8.self))
                if tree["id"]?.integer == admin.lastID { return tree }
            }
            throw Failure(description: "the broker has stopped")
        }
        if let result = reply["result"] { return result }
        let words = reply["error"]?["message"]?.string ?? "no message"
        let owed = reply["error"]?["data"]?["owed"]?.elements.map(Self.described) ?? []
        throw Failure(
            description: (["\(method): \(words)"] + owed).joined(separator: "; "))
    }

    private static func described(_ open: JSONTree) -> String {
        let about = ["kind", "call", "transaction"].compactMap { open[$0]?.string }
        return "\(open["who"]?.string ?? "") has not answered \(open["asked"]?.string ?? "") "
            + "(\(about.joined(separator: " ")))"
    }
}
