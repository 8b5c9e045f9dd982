internal import BrokerSocket

/// One connection of the program: its bytes on the one side, the broker in memory on the other, and
/// in between the requests that only a check would send.
///
/// The ids on the wire count up from 1 as a broker's do, whoever asks. What the broker asks keeps its
/// own number on its own side.
final class Wire {
    /// How the bytes of a frame arrive.
    enum Delivery {
        case whole
        /// Each byte is read before the next is written.
        case byteByByte
        /// Kept until `flush`, then written at once.
        case joined
        /// With CR LF, and with blank lines in between.
        case widelySpaced
    }

    /// A request that the program made.
    struct Own {
        let frame: JSONTree
        var reply: JSONTree?
        /// When it was read, the program could not know yet that its call was being ended.
        var isCrossing = false

        var method: String { frame["method"]?.string ?? "" }
        var params: JSONTree { frame["params"] ?? .object([]) }
        /// As the broker writes it; empty if it is about no call.
        var call: String { params["call"]?.string?.lowercased() ?? "" }
    }

    /// Something that it was asked to perform, by the broker or by us.
    struct Asked {
        let id: Int
        let params: JSONTree

        var kind: String { params["kind"]?.string ?? "" }
        var call: String { params["call"]?.string ?? "" }
    }

    let stream: PolledStream
    let client: Client
    /// The reply to its registration is kept until `releaseReplies`.
    var holdsRegistration = false
    /// Results have a member that nobody knows.
    var addsMembers = false
    var delivery = Delivery.whole
    /// Ends of these calls are answered here: the program is to think that they live, or does not
    /// know them any more.
    var quietCalls: Set<String> = []
    private(set) var own: [Own] = []
    private(set) var asked: [Asked] = []
    private(set) var replies: [Int: JSONTree] = [:]
    private(set) var notifications: [JSONTree] = []
    /// The program has closed it, or shut its writing side.
    private(set) var hasEnded = false
    /// It said hello as a provider, and registered.
    private(set) var isRegistered = false
    private(set) var framesRead = 0

    private unowned let trial: Trial
    private let isPlainOutput: Bool
    private var judge = Judge()
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []
    private var heldReplies: [String] = []
    private var lastID = 0
    private var brokerIDs: [Int: Int] = [:]

    init(_ stream: PolledStream, _ client: Client, of trial: Trial, isPlainOutput: Bool) {
        self.stream = stream
        self.client = client
        self.trial = trial
        self.isPlainOutput = isPlainOutput
        client.receive = { [unowned self] frame, text in deliver(frame, text) }
    }

    /// The manifest speaks for a program that does not.
    func registerImplicitly(_ identity: String, _ registration: JSONTree) {
        _ = client.ask(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(identity)","version":"1"},"#
                + #""roles":["provider","controller"],"identity":"\#(identity)"}"#)
        var members = registration.members
        if registration["display_name"] == nil {
            members.append(.init(name: "display_name", value: .string(identity)))
        }
        let reply = client.ask("provider.register", JSONTree.object(members).json)
        isRegistered = reply.result != nil
    }

    // MARK: - To the program

    private func deliver(_ frame: JSONTree, _ text: String) {
        guard frame["method"] != nil else { return answer(frame, text) }
        let params = frame["params"] ?? .object([])
        guard let id = frame["id"]?.integer else {
            if frame["method"]?.string == "broker.cancel", let request = params["request"]?.integer
            {
                guard let known = wireID(of: request) else { return }
                return write(renumbered(text, "request", request, known))
            }
            return write(text)
        }
        if params["kind"]?.string == "end", quietCalls.contains(params["call"]?.string ?? "") {
            return client.send(
                raw: Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#.utf8 + [10]))
        }
        let number = nextID()
        brokerIDs[number] = id
        asked.append(Asked(id: number, params: params))
        write(renumbered(text, "id", id, number))
    }

    private func renumbered(_ text: String, _ name: String, _ from: Int, _ to: Int) -> String {
        guard from != to, let range = text.firstRange(of: #""\#(name)":\#(from),"#) else {
            return text
        }
        return text[..<range.lowerBound] + #""\#(name)":\#(to),"# + text[range.upperBound...]
    }

    private func wireID(of request: Int) -> Int? {
        brokerIDs.first { $0.value == request }?.key
    }

    private func nextID() -> Int {
        lastID += 1
        judge.asking(lastID)
        return lastID
    }

    /// A reply to what the program asked.
    private func answer(_ frame: JSONTree, _ text: String) {
        for reply in frame.elements.isEmpty ? [frame] : frame.elements {
            guard let id = reply["id"] else { continue }
            judge.answering(id)
            if let index = own.lastIndex(where: { $0.frame["id"] == id && $0.reply == nil }) {
                own[index].reply = reply
                judgeReply(to: own[index])
            }
        }
        let head = #""result":{"#
        if addsMembers, let range = text.firstRange(of: head) {
            let rest = text[range.upperBound...]
            let comma = rest.hasPrefix("}") ? "" : ","
            return reply(text[..<range.lowerBound] + head + #""x_new":[{"a":null}]"# + comma + rest)
        }
        reply(text)
    }

    private func reply(_ text: String) {
        let isForRegistration = own.last { $0.reply != nil }?.method == "provider.register"
        if holdsRegistration, isForRegistration { heldReplies.append(text) } else { write(text) }
    }

    func releaseReplies() {
        holdsRegistration = false
        for text in heldReplies { write(text) }
        heldReplies = []
    }

    private func judgeReply(to request: Own) {
        if request.method == "provider.register", request.reply?["result"] != nil {
            isRegistered = true
        }
        guard let error = request.reply?["error"], let code = error["code"]?.integer else { return }
        let why = "\(request.method) is refused: \(error["message"]?.string ?? "")"
        let isReport = request.method.hasPrefix("call.report_") && !request.isCrossing
        if [-32_700, -32_600, -32_601, -32_602, -32_002].contains(code) {
            trial.note(.refusedRequest, why)
        } else if isReport, code == -32_006 {
            trial.note(.backwards, why)
        } else if isReport, error["data"]?["reason"]?.string == "unknown_call" {
            if !trial.isInvented(request.params["call"]?.string ?? "") {
                trial.note(.afterEnd, why)
            }
        }
    }

    /// Asks the program for something on our own. Returns the id of the request.
    func ask(_ method: String, _ params: String = "{}") -> Int {
        let id = nextID()
        write(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
        if method == "provider.perform", let params = try? JSONTree(params) {
            asked.append(Asked(id: id, params: params))
        }
        return id
    }

    func write(_ frame: String) {
        trial.record("<", frame)
        let bytes = Array(frame.utf8)
        switch delivery {
        case .whole:
            unsent += bytes + [0x0A]
            send()
        case .joined: unsent += bytes + [0x0A]
        case .widelySpaced:
            unsent += Array("\n  \r\n\t\n".utf8) + bytes + [0x0D, 0x0A, 0x0A]
            send()
        case .byteByByte:
            for byte in bytes + [0x0A] {
                unsent.append(byte)
                send()
                trial.waitUntilRead(self)
            }
        }
    }

    /// Writes what waits, as far as the program takes it.
    func send() {
        guard !unsent.isEmpty else { return }
        guard let count = stream.write(unsent[...]) else { return unsent = [] }
        unsent.removeFirst(count)
    }

    var hasUnsent: Bool {
        !unsent.isEmpty && delivery != .joined
    }

    // MARK: - From the program

    /// The broker has hung up: so do we.
    func hangUpIfClosed() {
        guard client.peer.isClosed, !hasEnded, unsent.isEmpty else { return }
        hasEnded = true
        trial.record("#", "the broker has closed the connection")
        stream.shutDown()
    }

    /// Reads what is there. Whether there was anything.
    func receive() -> Bool {
        guard !hasEnded else { return false }
        switch stream.read() {
        case .nothing: return false
        case .end: end()
        case .bytes(let bytes): take(bytes)
        }
        return true
    }

    private func end() {
        hasEnded = true
        noteRest()
        trial.record("#", "the program has closed its side")
        client.peer.endInput()
    }

    /// Nothing more comes: what has no newline is half a frame.
    func noteRest() {
        guard !received.isEmpty else { return }
        trial.record(">", String(decoding: received, as: UTF8.self))
        trial.note(.halfFrame, "a frame has no newline at its end, and nothing follows")
        received = []
    }

    private func take(_ bytes: [UInt8]) {
        received += bytes
        while let end = received.firstIndex(of: 0x0A) {
            let line = received[..<end]
            read(line)
            received.removeSubrange(...end)
        }
        // Nobody waits for the end of what is too long already.
        if received.count > 4 * Judge.bytesMax {
            read(received[...])
            received = []
        }
    }

    private func read(_ line: ArraySlice<UInt8>) {
        framesRead += 1
        let text = String(decoding: line, as: UTF8.self)
        trial.record(">", text)
        let (kind, faults) = judge.read(line, isPlainOutput: isPlainOutput)
        for (fault, words) in faults { trial.note(fault, words) }
        switch kind {
        case .blank: break
        case .bad(let fault, let words): trial.note(fault, words)
        case .reply(let id, let frame): settle(id, frame)
        case .call(let frame): pass(frame, text)
        }
    }

    /// The broker ends the call, or has done so in silence, and the program has not answered that.
    private func isBeingEnded(_ call: String) -> Bool {
        guard !quietCalls.contains(call) else { return true }
        let hasAnswered = asked.contains {
            $0.kind == "end" && $0.call == call && replies[$0.id] != nil
        }
        return !hasAnswered && trial.broker.call(call)?["state"]?.string == "ending"
    }

    private func settle(_ id: Int, _ frame: JSONTree) {
        replies[id] = frame
        guard let brokerID = brokerIDs[id] else { return }
        let own = frame.replacing("id", with: .integer(Int64(brokerID)))
        client.send(raw: Array(own.json.utf8) + [0x0A])
    }

    private func pass(_ frame: JSONTree, _ text: String) {
        for call in frame.elements.isEmpty ? [frame] : frame.elements {
            if call["id"] != nil {
                var request = Own(frame: call)
                request.isCrossing = isBeingEnded(request.call)
                own.append(request)
            } else {
                notifications.append(call)
            }
        }
        guard frame["method"]?.string == "broker.progress" else {
            return client.send(raw: Array(text.utf8) + [0x0A])
        }
        guard let id = frame["params"]?["request"]?.integer, let brokerID = brokerIDs[id],
            let params = frame["params"]?.replacing("request", with: .integer(Int64(brokerID)))
        else { return }
        let own = frame.replacing("params", with: params)
        client.send(raw: Array(own.json.utf8) + [0x0A])
    }
}
