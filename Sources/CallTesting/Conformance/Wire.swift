internal import BrokerSocket
internal import CallProtocol

/// A connection between the program and the broker in memory, over which the suite also sends
/// requests of its own.
///
/// Request ids on the wire count up from 1, as a broker's do, whether the broker or the suite makes
/// the request. They are translated to the broker's own ids.
final class Wire {
    /// The way in which the bytes of a frame are written.
    enum Delivery {
        case whole
        /// Each byte is read before the next one is written.
        case byteByByte
        /// Frames are kept and written together when the delivery changes.
        case joined
        /// Frames end with CR LF, with blank lines between them.
        case widelySpaced
    }

    /// A request that the program made.
    struct Own {
        let frame: JSONTree
        var reply: JSONTree?
        /// True if the request crossed the broker's end of its call.
        var isCrossing = false

        var method: String { frame["method"]?.string ?? "" }
        var params: JSONTree { frame["params"] ?? .object([]) }
        /// The id of the call in lower case; empty without one.
        var call: String { params["call"]?.string?.lowercased() ?? "" }
        /// True if the program only asks what the broker would do.
        var isDryRun: Bool { params["dry_run"]?.boolean ?? false }
        /// The message of the error that it got.
        var refusal: String { reply?["error"]?["message"]?.string ?? "no reason" }
    }

    /// An action that the broker or the suite requested.
    struct Asked {
        let id: Int
        let params: JSONTree

        var kind: String { params["kind"]?.string ?? "" }
        var call: String { params["call"]?.string ?? "" }
    }

    let stream: PolledStream
    let client: Client
    /// True if the reply to the registration is held until `releaseReplies`.
    var holdsRegistration = false
    /// True if results get a member that is not in the protocol.
    var addsMembers = false
    var delivery = Delivery.whole
    /// Calls whose end requests are answered here: for the program these calls are live, or unknown
    /// already.
    var quietCalls: Set<String> = []
    private(set) var own: [Own] = []
    private(set) var asked: [Asked] = []
    private(set) var replies: [Int: JSONTree] = [:]
    private(set) var notifications: [JSONTree] = []
    /// True if the program has closed the connection, or its writing side.
    private(set) var hasEnded = false
    /// True if the program has registered as a provider; of other programs, if it has a session.
    private(set) var isRegistered = false
    private(set) var framesRead = 0

    private unowned let run: ConformanceRun
    private let isPlainOutput: Bool
    private var validator = FrameValidator()
    private var received: [UInt8] = []
    private var unsent: [UInt8] = []
    private var heldReplies: [String] = []
    private var lastID = 0
    private var brokerIDs: [Int: Int] = [:]

    init(_ stream: PolledStream, _ client: Client, of run: ConformanceRun, isPlainOutput: Bool) {
        self.stream = stream
        self.client = client
        self.run = run
        self.isPlainOutput = isPlainOutput
        client.receive = { [unowned self] frame, text in deliver(frame, text) }
    }

    /// Registers a program by its manifest.
    func registerImplicitly(_ identity: String, _ registration: JSONTree) {
        let roles = run.program.isProvider ? [.provider, .controller] : run.program.roles.roles
        let words = roles.map { #""\#($0.rawValue)""# }.joined(separator: ",")
        let hello = client.ask(
            "broker.hello",
            #"{"protocol":{"min":1,"max":1},"client":{"name":"\#(identity)","version":"1"},"#
                + #""roles":[\#(words)],"identity":"\#(identity)"}"#)
        guard run.program.isProvider else { return isRegistered = hello.result != nil }
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
        validator.requested(lastID)
        return lastID
    }

    /// Forwards a reply to the program.
    private func answer(_ frame: JSONTree, _ text: String) {
        for reply in frame.elements.isEmpty ? [frame] : frame.elements {
            guard let id = reply["id"] else { continue }
            validator.replied(to: id)
            if let index = own.lastIndex(where: { $0.frame["id"] == id && $0.reply == nil }) {
                own[index].reply = reply
                checkReply(to: own[index])
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

    private func checkReply(to request: Own) {
        let opening = run.program.isProvider ? "provider.register" : "broker.hello"
        if request.method == opening, request.reply?["result"] != nil { isRegistered = true }
        guard let error = request.reply?["error"], let code = error["code"]?.integer else { return }
        let why = "\(request.method) was refused: \(error["message"]?.string ?? "")"
        let reason = error["data"]?["reason"]?.string
        let isReport = request.method.hasPrefix("call.report_") && !request.isCrossing
        if [-32_700, -32_600, -32_601, -32_602, -32_002].contains(code) {
            run.note(.refusedRequest, why)
        } else if isReport, reason == "invalid_state" {
            run.note(.backwards, why)
        } else if isReport, reason == "unknown_call" {
            if !run.isInvented(request.params["call"]?.string ?? "") {
                run.note(.afterEnd, why)
            }
        }
    }

    /// Makes a request of the suite. Returns its id.
    func ask(_ method: String, _ params: String = "{}") -> Int {
        let id = nextID()
        write(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
        if method == "provider.perform", let params = try? JSONTree(params) {
            asked.append(Asked(id: id, params: params))
        }
        return id
    }

    func write(_ frame: String) {
        run.record("<", frame)
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
                run.waitUntilRead(self)
            }
        }
    }

    /// Writes unsent bytes, as many as the stream accepts.
    func send() {
        guard !unsent.isEmpty else { return }
        guard let count = stream.write(unsent[...]) else { return unsent = [] }
        unsent.removeFirst(count)
    }

    var hasUnsent: Bool {
        !unsent.isEmpty && delivery != .joined
    }

    // MARK: - From the program

    /// Closes the stream if the broker has closed its connection.
    func hangUpIfClosed() {
        guard client.peer.isClosed, !hasEnded, unsent.isEmpty else { return }
        hasEnded = true
        run.record("#", "the broker closed the connection")
        stream.shutDown()
    }

    /// Reads available bytes. Returns whether there were any.
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
        recordRest()
        run.record("#", "the program closed its side")
        client.peer.endInput()
    }

    /// Records bytes without a line feed as half a frame, when no more bytes follow.
    func recordRest() {
        guard !received.isEmpty else { return }
        run.record(">", String(decoding: received, as: UTF8.self))
        run.note(.halfFrame, "the last frame has no line feed at its end")
        received = []
    }

    private func take(_ bytes: [UInt8]) {
        received += bytes
        while let end = received.firstIndex(of: 0x0A) {
            let line = received[..<end]
            read(line)
            received.removeSubrange(...end)
        }
        // A line that is too long already is not read to its end.
        if received.count > 4 * FrameValidator.bytesMax {
            read(received[...])
            received = []
        }
    }

    private func read(_ line: ArraySlice<UInt8>) {
        framesRead += 1
        let text = String(decoding: line, as: UTF8.self)
        run.record(">", text)
        let (kind, faults) = validator.read(line, isPlainOutput: isPlainOutput)
        for (fault, words) in faults { run.note(fault, words) }
        switch kind {
        case .blank: break
        case .bad(let fault, let words): run.note(fault, words)
        case .reply(let id, let frame): settle(id, frame)
        case .call(let frame): forward(frame, text)
        }
    }

    /// Returns whether the broker is ending a call, or has ended it without a request, and the
    /// program has not answered that.
    private func isBeingEnded(_ call: String) -> Bool {
        guard !quietCalls.contains(call) else { return true }
        let hasAnswered = asked.contains {
            $0.kind == "end" && $0.call == call && replies[$0.id] != nil
        }
        return !hasAnswered && run.broker.call(call)?["state"]?.string == "ending"
    }

    private func settle(_ id: Int, _ frame: JSONTree) {
        replies[id] = frame
        guard let brokerID = brokerIDs[id] else { return }
        let own = frame.replacing("id", with: .integer(Int64(brokerID)))
        client.send(raw: Array(own.json.utf8) + [0x0A])
    }

    private func forward(_ frame: JSONTree, _ text: String) {
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
