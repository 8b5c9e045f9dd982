internal import BrokerJSON
internal import BrokerSocket
internal import CallClient
internal import CallModel
internal import CallProtocol

/// An incoming call from nobody: this tool is its app for as long as it rings. The app is left out
/// of the recent calls, and the broker ends the call when this process ends in any way.
final class TestCall {
    /// The end of the call.
    enum Outcome: Equatable {
        case answered, declined, unanswered
        /// The user reports that nothing rings.
        case unheard
        /// Ended by another client, or by the broker.
        case ended
        /// The broker, or the connection, was lost.
        case lost
        /// The broker lets the call not ring.
        case refused(reason: String)

        /// The word for programs.
        var word: String {
            switch self {
            case .answered: "answered"
            case .declined: "declined"
            case .unanswered: "unanswered"
            case .unheard: "unheard"
            case .ended: "ended"
            case .lost: "lost"
            case .refused: "refused"
            }
        }
    }

    static let identity = "org.callbroker.setup"
    private static let address = "callbroker-setup"
    /// The longest time between two looks at the keyboard, in milliseconds.
    private static let lookMS = 100

    private let call = CallID.random().description
    private let options: ConnectionOptions
    private let connection: PersistentConnection
    /// The action that the user requested first.
    private var action: String?
    private(set) var isWaiting = false
    /// True if a filter or the user keeps the call from sounding.
    private(set) var isSilenced = false

    init(_ options: ConnectionOptions) throws(ToolFailure) {
        self.options = options
        let deadline = options.deadline()
        connection = try options.describingErrors { () throws(SocketError) in
            try PersistentConnection(path: options.place.path, deadline: deadline)
        }
        let hello = try options.describingErrors { () throws(SocketError) in
            try connection.helloAsProvider(Self.identity, deadline: deadline)
        }
        _ = try Self.result(Frame.parse(hello))
        connection.onRequest = { [unowned self] method, params in
            guard method == MethodName.perform.rawValue, params["call"]?.string == call else {
                return
            }
            action = action ?? params["kind"]?.string
        }
    }

    /// Throws the error of a reply.
    private static func result(_ reply: borrowing JSONDocument) throws(ToolFailure) {
        guard let error = reply.root["error"] else { return }
        throw ErrorText(error, nil) { _ in nil }.failure
    }

    private func request(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void
    ) throws(ToolFailure) -> JSONDocument {
        var writer = JSONWriter()
        writer.object(members)
        let params = writer.bytes
        let frame = try options.describingErrors { () throws(SocketError) in
            try connection.request(
                method.rawValue, params: params, deadline: options.deadline())
        }
        return try Frame.parse(frame)
    }

    // MARK: - The call

    /// Registers the app and reports the call.
    ///
    /// - Returns: Why the call must not ring; nil if it rings.
    func ring() throws(ToolFailure) -> Outcome? {
        let registered = try request(.register) { writer in
            writer.member("display_name", Messages.setupTestApp)
            writer.member("handle_types", words: ["generic"])
            writer.member("includes_in_recents", false)
            writer.member("max_call_groups", 1)
        }
        try Self.result(registered)
        let reply = try request(.reportIncoming) { writer in
            writer.member("call", call)
            writer.name("remote")
            writer.object { writer in
                writer.member("type", "generic" as StaticString)
                writer.member("value", Self.address)
            }
            writer.member("display_name", Messages.setupTestName)
        }
        if let reason = reply.root["error"]?["data"]?["reason"]?.string {
            return .refused(reason: reason)
        }
        try Self.result(reply)
        isWaiting = reply.root["result"]?["state"]?.string == "waiting"
        _ = try currentOutcome()
        return nil
    }

    /// Waits until the call is answered, declined or over.
    ///
    /// - Parameter isAsked: True if the user may report that nothing rings, by Enter.
    func wait(until end: MonotonicTime, isAsked: Bool) throws(ToolFailure) -> Outcome {
        while MonotonicTime.now() < end {
            do throws(SocketError) {
                let look = MonotonicTime.now().advanced(milliseconds: Self.lookMS)
                guard try connection.next(deadline: look) != nil else { return .lost }
            } catch {
                guard error.kind == .timedOut else { return .lost }
            }
            if let outcome = try currentOutcome() { return outcome }
            if isAsked, Terminal.hasInput, Terminal.readLine() != nil { return .unheard }
        }
        return .unanswered
    }

    private func currentOutcome() throws(ToolFailure) -> Outcome? {
        let reply = try request(.getCall) { $0.member("call", call) }
        let state = reply.root["result"]?["state"]?.string
        isSilenced = reply.root["result"]?["silenced"]?.boolean ?? isSilenced
        switch (state, action) {
        case (_, "answer"?): return .answered
        case (_, "end"?): return .declined
        case (nil, _), ("ended"?, _): return .ended
        default: return nil
        }
    }

    /// Ends the call if it is not over, and leaves.
    func end() {
        _ = try? request(.reportEnded) { writer in
            writer.member("call", call)
            writer.member("reason", EndReason.unanswered.rawValue)
        }
        _ = try? request(.unregister) { _ in }
    }
}
