package import BrokerSocket
package import CallBroker
internal import CallModel
internal import CallStore

/// A broker in the test's own process: no socket, no file, no thread, and a clock that only the test
/// moves.
///
/// Connect fakes to it, let them do something, and look at what the others got:
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
/// Everything that can happen at this instant has happened when a call of these returns. What takes
/// time happens in ``advance(by:)`` and ``wait(for:within:)``. One broker belongs to one thread.
public final class TestBroker {
    /// Every frame so far, of all connections, in the order in which the broker read and wrote them.
    public internal(set) var frames: [RecordedFrame] = []
    /// What was wrong with frames that the broker sent. A test expects none.
    public internal(set) var problems: [String] = []

    package private(set) var host: MemoryBroker
    private let complaints: Complaints
    private var clients: [Client] = []
    private var agenda: [(at: MonotonicTime, act: () -> Void)] = []
    private var isPumping = false
    /// What keeps contacts, blocks and the history, if anything does.
    private var store: (thread: StoreThread, wakeup: Wakeup)?
    /// Asks on behalf of the test; its frames are not recorded.
    private lazy var inspector = FakeController(
        Client("test", of: self, isRecorded: false), roles: ["controller", "observer"])

    private final class Complaints {
        var lines: [String] = []
    }

    /// Starts a broker.
    ///
    /// - Parameter configuration: what `callbroker serve --config` reads, as JSON.
    /// - Throws: what is wrong with the configuration.
    public convenience init(configuration: String) throws {
        var merged = BrokerConfiguration()
        try merged.merge(Array(configuration.utf8))
        self.init { $0 = merged }
    }

    /// Starts a broker with the configuration that it has by itself.
    public convenience init() {
        self.init { _ in }
    }

    package init(_ change: (inout BrokerConfiguration) -> Void) {
        let complaints = Complaints()
        self.complaints = complaints
        host = MemoryBroker(tellFault: { complaints.lines.append($0) }) {
            change(&$0)
            $0.isTestMode = true
            $0.limits.turnMS = 1_000_000
        }
    }

    /// From now on contacts, blocks and the history are kept, as long as this broker lives.
    package func keepPeople() throws(SocketError) {
        let wakeup = try Wakeup()
        let thread = try StoreThread(.memory, wakes: wakeup)
        store = (thread, wakeup)
        host.broker.attach(thread)
    }

    // MARK: - Who is connected

    /// Connects a provider and registers it.
    ///
    /// - Parameters:
    ///   - identity: a stable name of at least two parts.
    ///   - members: further members of `provider.register`, as JSON without the braces.
    public func provider(_ identity: String, registering members: String = "") -> FakeProvider {
        FakeProvider(identity, Client(identity, of: self), registering: members)
    }

    /// Connects who speaks for the user, and sees every event.
    public func controller(_ name: String = "user") -> FakeController {
        FakeController(Client(name, of: self), roles: ["controller", "observer", "admin"])
    }

    func enter(_ client: Client) {
        clients.append(client)
    }

    func leave(_ client: Client) {
        clients.removeAll { $0 === client }
    }

    // MARK: - What there is

    /// How long the broker has been there, by its clock.
    public var now: Duration {
        .milliseconds(host.now.milliseconds)
    }

    /// A call as the broker tells it to everybody; nil if it knows none of that id.
    public func call(_ id: String) -> JSONTree? {
        inspector.request("call.get", #"{"call":\#(JSONTree.string(id).json)}"#).result?
            .without("seq")
    }

    /// All calls as the broker tells them.
    public var calls: [JSONTree] {
        inspector.request("call.list").result?["calls"]?.elements ?? []
    }

    // MARK: - Time

    /// Lets everything happen that takes no time.
    public func settle() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        repeat { host.turn() } while pump()
        problems += complaints.lines
        complaints.lines = []
    }

    /// Whether anybody had anything to read.
    private func pump() -> Bool {
        var isBusy = host.broker.hasWork
        if deliver() { isBusy = true }
        if let store, !host.broker.isStoreIdle {
            store.wakeup.wait()
            host.broker.settleStore()
            isBusy = true
        }
        return isBusy
    }

    /// Everybody reads what there is, in the order in which the broker wrote it, and only then does anybody
    /// react. Whether there was anything.
    private func deliver() -> Bool {
        let arrived = clients.flatMap { client in
            client.peer.placedDrain().map { (client: client, line: $0) }
        }.sorted { $0.line.place < $1.line.place }
        for (client, line) in arrived { client.record(.broker, line.text) }
        for (client, line) in arrived where clients.contains(where: { $0 === client }) {
            client.take(line.text)
        }
        return !arrived.isEmpty
    }

    /// Moves the clock. What is due on the way happens in its order and at its time.
    public func advance(by duration: Duration) {
        let end = host.now.advanced(milliseconds: duration.wholeMilliseconds)
        settle()
        while let due = nextDue, due <= end { go(to: due) }
        go(to: end)
    }

    /// Moves the clock until an event comes that was not there before.
    ///
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

    /// When something happens by itself.
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

    // MARK: - The broker goes and comes back

    /// Kills the broker and starts its successor, which goes on with the calls. Every connection is
    /// lost; providers come back with ``FakeProvider/reconnect()``.
    ///
    /// - Throws: if the journal cannot be read.
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

/// A frame that went over a connection.
public struct RecordedFrame: Equatable, Sendable, CustomStringConvertible {
    /// Who sent it.
    public enum Sender: String, Sendable {
        /// Whoever is connected.
        case client = ">"
        /// The broker.
        case broker = "<"
    }

    /// When, by the broker's clock.
    public let at: Duration
    /// Whose connection it is.
    public let peer: String
    /// Who sent it.
    public let sender: Sender
    /// The frame without its newline.
    public let text: String

    /// The frame with the mark that recorded transcripts have: `> ` a client's, `< ` the broker's.
    public var description: String {
        "\(sender.rawValue) \(text)"
    }
}

extension Duration {
    /// Rounded down.
    var wholeMilliseconds: Int {
        Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
