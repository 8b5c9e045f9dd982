internal import BrokerSocket
internal import CallBroker
internal import Logging
internal import Synchronization

/// A broker for apps that connect by themselves: on a socket of its own, in a thread of the test's
/// process, with a clock that only the test moves.
///
/// ```swift
/// let broker = try ListeningBroker()
/// defer { broker.stop() }
/// let app = MyApp(socketPath: broker.socketPath)          // or BROKER_SOCKET
/// try await app.connect()
/// try await broker.advance(by: .seconds(60))
/// ```
///
/// What the app does takes real time; ``settle(ignoring:within:)`` waits until nobody owes the broker an
/// answer. For tests without an app of their own, ``TestBroker`` is simpler.
public final class ListeningBroker: Sendable {
    /// Why there is no broker, or what it answered.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence for people.
        public let description: String
    }

    /// Where it listens: for `ClientOptions.socketPath`, or `BROKER_SOCKET`.
    public let socketPath: String
    private let folder: String
    private let admin: Mutex<Admin>

    /// The connection of the test itself.
    private struct Admin: ~Copyable {
        let socket: BlockingSocket
        var lastID = 0
    }

    /// How long it may take to begin, and to answer; nothing is expected to.
    private static let patienceMS = 60_000

    /// Starts it.
    ///
    /// - Throws: ``Failure``: it cannot listen.
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
                + #""roles":["admin","controller","observer"]}"#)
    }

    /// What keeps the thread from serving.
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

    // MARK: - What the test does

    /// Asks for something as an admin who is the user and sees everything.
    ///
    /// - Parameters:
    ///   - method: as on the wire, such as `call.answer`.
    ///   - params: an object, as JSON.
    /// - Returns: the result.
    /// - Throws: ``Failure`` with the broker's words if the reply is an error.
    @discardableResult
    public func request(_ method: String, _ params: String = "{}") async throws -> JSONTree {
        // Whoever has to act meanwhile may need the thread that asks.
        let reply = Promise<Result<JSONTree, any Error>>()
        try HostThread.start { [self] in reply.settle(Result { try ask(method, params) }) }
        return try await reply.value().get()
    }

    /// Moves the clock. What is due on the way happens in its order and at its time.
    public func advance(by duration: Duration) async throws {
        try await request("test.advance", #"{"ms":\#(duration.wholeMilliseconds)}"#)
    }

    /// The same, and waits before each step until nobody owes the broker an answer.
    ///
    /// - Parameters:
    ///   - ignored: those who may go on owing it one.
    ///   - limit: how long anybody may take, of real time.
    /// - Throws: ``Failure``, which says who owes what; the clock stays where it is then.
    public func advanceSettling(
        by duration: Duration, ignoring ignored: [String] = [],
        within limit: Duration = .seconds(30)
    ) async throws {
        let patience = Self.patience(ignored, limit)
        try await request(
            "test.advance",
            #"{"ms":\#(duration.wholeMilliseconds),"settle":true,\#(patience)}"#)
    }

    /// Waits until nobody owes the broker an answer.
    ///
    /// - Parameters:
    ///   - ignored: those who may go on owing it one.
    ///   - limit: how long anybody may take, of real time.
    /// - Throws: ``Failure``, which says who owes what.
    public func settle(
        ignoring ignored: [String] = [], within limit: Duration = .seconds(30)
    ) async throws {
        try await request("test.settle", "{\(Self.patience(ignored, limit))}")
    }

    private static func patience(_ ignored: [String], _ limit: Duration) -> String {
        let names = JSONTree.array(ignored.map { .string($0) }).json
        return #""ignore":\#(names),"limit_ms":\#(limit.wholeMilliseconds)"#
    }

    /// Stops it: everybody is told goodbye.
    public func stop() {
        // It has been stopped already, and answers no more.
        _ = try? ask("broker.shutdown", "{}")
        HostFile.remove(socketPath)
        HostFile.remove(socketPath + ".lock")
        HostFile.removeFolder(folder)
    }

    private func ask(_ method: String, _ params: String) throws -> JSONTree {
        let reply = try admin.withLock { admin in
            admin.lastID += 1
            let frame =
                #"{"jsonrpc":"2.0","id":\#(admin.lastID),"method":"\#(method)","params":\#(params)}"#
            let deadline = MonotonicTime.now().advanced(milliseconds: Self.patienceMS)
            try admin.socket.send(Array(frame.utf8) + [0x0A], deadline: deadline)
            while let line = try admin.socket.receiveLine(deadline: deadline) {
                let tree = try JSONTree(String(decoding: line, as: UTF8.self))
                if tree["id"]?.integer == admin.lastID { return tree }
            }
            throw Failure(description: "the broker has stopped")
        }
        if let result = reply["result"] { return result }
        let words = reply["error"]?["message"]?.string ?? "no words"
        let owed = reply["error"]?["data"]?["owed"]?.elements.map(Self.described) ?? []
        throw Failure(
            description: (["\(method): \(words)"] + owed).joined(separator: "; "))
    }

    private static func described(_ debt: JSONTree) -> String {
        let about = ["kind", "call", "transaction"].compactMap { debt[$0]?.string }
        return "\(debt["who"]?.string ?? "") has not answered \(debt["asked"]?.string ?? "") "
            + "(\(about.joined(separator: " ")))"
    }
}
