internal import BrokerSocket
internal import CallBroker
internal import CallPlugins

/// The client's end of a connection to a broker in memory.
final class Client {
    let name: String
    unowned let broker: TestBroker
    let peer: MemoryPeer
    /// Receives the frames of the broker that are not replies.
    var receive: (JSONTree, String) -> Void = { _, _ in }
    private let isRecorded: Bool
    private var lastID = 0
    private var replies: [Int: Reply] = [:]

    /// - Parameter plugin: the client's manifest, if it has one.
    init(
        _ name: String, of broker: TestBroker, process: ProcessWatch? = nil,
        plugin: PluginCatalog.Entry? = nil, isRecorded: Bool = true
    ) {
        self.name = name
        self.broker = broker
        self.isRecorded = isRecorded
        peer = broker.host.connect(process: process)
        if let plugin { broker.host.broker.bind(peer.connection, to: plugin) }
        broker.enter(self)
    }

    /// Sends bytes unchanged. The caller records the frames.
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

    /// Passes a frame to the request it belongs to, or to `receive`.
    func receive(line: String) {
        guard let frame = try? JSONTree(line) else { return }
        if frame["method"] == nil, let id = frame["id"]?.integer, let reply = replies[id] {
            replies[id] = nil
            reply.frame = frame
        } else {
            receive(frame, line)
        }
    }

    /// Closes the connection without a goodbye.
    func vanish() {
        peer.vanish()
        isLost()
        broker.leave(self)
        broker.settle()
    }

    /// Drops pending requests, which the lost connection cannot answer.
    func isLost() {
        replies = [:]
    }
}

/// The reply to a request: none yet, a result, or an error.
public final class Reply {
    /// The whole frame; nil until it has arrived.
    public internal(set) var frame: JSONTree?

    init() {}

    /// The result; nil without one.
    public var result: JSONTree? { frame?["result"] }
    /// The error; nil without one.
    public var error: JSONTree? { frame?["error"] }
    /// The stable word of the error, such as `unknown_call`; nil without an error.
    public var reason: String? { error?["data"]?["reason"]?.string }
}
