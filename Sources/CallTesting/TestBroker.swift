package import BrokerSocket
package import CallBroker
internal import CallStore

/// A broker in the test's own process, without socket, file or thread, and with a clock that only
/// the test moves.
///
/// Connect fakes, let them act, and check what the others received:
///
/// ```swift
/// let broker = TestBroker()
/// let phone = broker.provider("org.example.phone")
/// let user = broker.controller()
///
/// phone.ring("5a3c1b60-0000-4000-8000-000000000001", from: "+15550100")
/// user.request("call.answer", #"{"call":"5a3c1b60-0000-4000-8000-000000000001"}"#)
///
/// #expect(phone.performed.map(\.kind) == ["answer"])
/// #expect(broker.call("5a3c1b60-0000-4000-8000-000000000001")?["state"]?.string == "active")
/// #expect(broker.problems == [])
/// ```
///
/// When a method of the broker or a fake returns, everything that takes no time has happened. Time
/// passes only in ``advance(by:)`` and ``wait(for:within:)``. A broker belongs to one thread.
public final class TestBroker {
    /// The frames of all connections so far, in the order in which the broker read and wrote them.
    public internal(set) var frames: [RecordedFrame] = []
    /// Frames of the broker that broke the protocol, as descriptions. A test expects none.
    public internal(set) var problems: [String] = []

    package private(set) var host: MemoryBroker
    private let violations: Violations
    private var clients: [Client] = []
    private var agenda: [(at: MonotonicTime, act: () -> Void)] = []
    private var isPumping = false
    /// The store of contacts, blocks and the history, if there is one.
    private var store: (thread: StoreThread, wakeup: Wakeup)?
    /// Reads on behalf of the test; its frames are not recorded.
    private lazy var inspector = FakeController(
        Client("test", of: self, isRecorded: false), roles: ["controller", "observer"])

    private final class Violations {
        var lines: [String] = []
    }

    /// Starts a broker.
    ///
    /// - Parameter configuration: the JSON that `callbroker serve --config` reads.
    /// - Throws: an error that describes the fault of the configuration.
    public convenience init(configuration: String) throws {
        var merged = BrokerConfiguration()
        try merged.merge(Array(configuration.utf8))
        self.init { $0 = merged }
    }

    /// Starts a broker with the default configuration.
    public convenience init() {
        self.init { _ in }
    }

    package init(_ change: (inout BrokerConfiguration) -> Void) {
        let violations = Violations()
        self.violations = violations
        host = MemoryBroker(tellFault: { violations.lines.append($0) }) {
            change(&$0)
            $0.isTestMode = true
            $0.limits.turnMS = 1_000_000
        }
    }

    /// Gives the broker a store of contacts, blocks and the history in memory.
    package func keepPeople() throws(SocketError) {
        let wakeup = try Wakeup()
        let thread = try StoreThread(.memory, wakes: wakeup)
        store = (thread, wakeup)
        host.broker.attach(thread)
    }

    // MARK: - Connections

    /// Connects a provider and registers it.
    ///
    /// - Parameters:
    ///   - identity: a stable name of at least two parts.
    ///   - members: more members of `provider.register`, as JSON without braces.
    public func provider(_ identity: String, registering members: String = "") -> FakeProvider {
        FakeProvider(identity, Client(identity, of: self), registering: members)
    }

    /// Connects a client with the roles of the user, an observer and an administrator. It receives
    /// every event.
    public func controller(_ name: String = "user") -> FakeController {
        FakeController(Client(name, of: self), roles: ["controller", "observer", "admin"])
    }

    func enter(_ client: Client) {
        clients.append(client)
    }

    func leave(_ client: Client) {
        clients.removeAll { $0 === client }
    }

    // MARK: - State

    /// The time since the start, by the broker's clock.
    public var now: Duration {
        .milliseconds(host.now.milliseconds)
    }

    /// Returns a call as observers see it; nil if the broker has none with that id.
    public func call(_ id: String) -> JSONTree? {
        inspector.request("call.get", #"{"call":\#(JSONTree.string(id).json)}"#).result?
            .without("seq")
    }

    /// All calls, as observers see them.
    public var calls: [JSONTree] {
        inspector.request("call.list").result?["calls"]?.elements ?? []
    }

    // MARK: - Time

    /// Runs the broker and its clients until nothing is left to do at this time.
    public func settle() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        repeat { host.turn() } while pump()
        problems += violations.lines
        violations.lines = []
    }

    /// Delivers frames and results of the store once. Returns whether there were any.
    private func pump() -> Bool {
        var isBusy = host.broker.hasWork
        if deliver() { isBusy = true }
        if let store, !host.broker.isStoreIdle {
            store.wakeup.wait()
            host.broker.drainStore()
            isBusy = true
        }
        return isBusy
    }

    /// Delivers all frames in the order in which the broker wrote them. All of them are recorded
    /// before the clients react. Returns whether there were any.
    private func deliver() -> Bool {
        let arrived = clients.flatMap { client in
            client.peer.placedDrain().map { (client: client, line: $0) }
        }.sorted { $0.line.place < $1.line.place }
        for (client, line) in arrived { client.record(.broker, line.text) }
        for (client, line) in arrived where clients.contains(where: { $0 === client }) {
            client.receive(line: line.text)
        }
        return !arrived.isEmpty
    }

    /// Moves the clock. Timers that become due fire in order and at their times.
    public func advance(by duration: Duration) {
        let end = host.now.advanced(milliseconds: duration.wholeMilliseconds)
        settle()
        while let due = nextDue, due <= end { go(to: due) }
        go(to: end)
    }

    /// Moves the clock until a new event of a topic comes.
    ///
    /// - Parameters:
    ///   - topic: the topic, such as `action.timed_out`.
    ///   - duration: the longest time to wait, by the broker's clock.
    /// - Returns: the params of the event, or nil if none came in that time.
    @discardableResult
    public func wait(for topic: String, within duration: Duration = .seconds(600)) -> JSONTree? {
        let known = inspector.events.count
        let end = host.now.advanced(milliseconds: duration.wholeMilliseconds)
        settle()
        while true {
            let event = inspector.events.dropFirst(known).first { $0["topic"]?.string == topic }
            if let event { return event }
            guard let due = nextDue, due <= end else { break }
            go(to: due)
        }
        go(to: end)
        return nil
    }

    /// The time of the next timer or scheduled answer.
    var nextDue: MonotonicTime? {
        [host.broker.nextDeadline, agenda.map(\.at).min()].compactMap { $0 }.min()
    }

    func go(to time: MonotonicTime) {
        host.turn(afterMS: max(0, Int(time.milliseconds - host.now.milliseconds)))
        while let index = agenda.firstIndex(where: { $0.at <= host.now }) {
            agenda.remove(at: index).act()
        }
        settle()
    }

    func later(_ duration: Duration, _ act: @escaping () -> Void) {
        let due = host.now.advanced(milliseconds: duration.wholeMilliseconds)
        agenda.append((due, act))
        agenda.sort { $0.at < $1.at }
    }

    // MARK: - Restart

    /// Kills the broker, and starts another one from its journal, which continues the calls. All
    /// connections are lost; providers connect again with ``FakeProvider/reconnect(listing:)``.
    ///
    /// - Throws: an error if the journal cannot be read.
    public func restart() throws {
        settle()
        host = try MemoryBroker(goingOnAfter: host)
        if let store { host.broker.attach(store.thread) }
        for client in clients { client.isLost() }
        clients = []
        inspector = FakeController(
            Client("test", of: self, isRecorded: false), roles: ["controller", "observer"])
    }
}

/// A frame that was sent over a connection.
public struct RecordedFrame: Equatable, Sendable, CustomStringConvertible {
    /// The sender of a frame.
    public enum Sender: String, Sendable {
        /// The client.
        case client = ">"
        /// The broker.
        case broker = "<"
    }

    /// The time since the broker's start, by its clock.
    public let at: Duration
    /// The name of the client: the identity of a provider.
    public let peer: String
    /// The side that sent the frame.
    public let sender: Sender
    /// The frame without its line feed.
    public let text: String

    /// The frame with the mark of recorded transcripts: `> ` for clients, `< ` for the broker.
    public var description: String {
        "\(sender.rawValue) \(text)"
    }
}

extension Duration {
    /// The milliseconds, rounded down.
    var wholeMilliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
