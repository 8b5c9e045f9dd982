internal import BrokerSocket
internal import CallBroker
internal import CallPlugins

/// A connection to a broker in memory, from the other end.
final class Client {
    let name: String
    unowned let broker: TestBroker
    let peer: MemoryPeer
    /// Gets what the broker sends.
    var receive: (JSONTree, String) -> Void = { _, _ in }
    private let isRecorded: Bool
    private var lastID = 0
    private var replies: [Int: Reply] = [:]

    /// - Parameter plugin: what its manifest says, if it has one.
    init(
        _ name: String, of broker: TestBroker, process: ProcessWatch? = nil,
        plugin: PluginCatalogue.Entry? = nil, isRecorded: Bool = true
    ) {
        self.name = name
        self.broker = broker
        self.isRecorded = isRecorded
        peer = broker.host.connect(process: process)
        if let plugin { broker.host.broker.take(peer.connection, for: plugin) }
        broker.enter(self)
    }

    /// Sends bytes as they are; whoever calls this records what it sent.
    func send(raw bytes: [UInt8]) {
        peer.sendRaw(bytes)
    }

    func send(_ frame: String) {
        record(.client, frame)
        peer.send(frame)
    }

    func ask(_ method: String, _ params: String) -> Reply {
        lastID += 1
        let reply = Reply()
        replies[lastID] = reply
        send(
            #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
        broker.settle()
        return reply
    }

    func record(_ sender: RecordedFrame.Sender, _ text: String) {
        guard isRecorded else { return }
        broker.frames.append(
            RecordedFrame(at: broker.now, peer: name, sender: sender, text: text))
    }

    /// Does with a line what it is for.
    func take(_ line: String) {
        guard let frame = try? JSONTree(line) else { return }
        if frame["method"] == nil, let id = frame["id"]?.integer, let reply = replies[id] {
            replies[id] = nil
            reply.frame = frame
        } else {
            receive(frame, line)
        }
    }

    /// Closes the connection without a word.
    func vanish() {
        peer.vanish()
        isLost()
        broker.leave(self)
        broker.settle()
    }

    /// Nobody answers any more.
    func isLost() {
        replies = [:]
    }
}

/// What became of a request: nothing yet, a result, or an error.
public final class Reply {
    /// The whole reply; nil until it has come.
    public internal(set) var frame: JSONTree?

    init() {}

    /// The result, if it came and is none of an error.
    public var result: JSONTree? { frame?["result"] }
    /// The error, if it is one.
    public var error: JSONTree? { frame?["error"] }
    /// The word for programs that says what is wrong.
    public var reason: String? { error?["data"]?["reason"]?.string }
}
