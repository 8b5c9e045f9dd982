internal import BrokerSocket

/// The steps that most scenarios share.
extension ConformanceRun {
    /// The params of the program's registration.
    var registration: JSONTree {
        let wire = wires.last { $0.isRegistered }
        return wire?.own.last { $0.method == "provider.register" }?.params
            ?? program.registration ?? .object([])
    }

    /// The identity of the program, which may also observe on connections without an identity.
    var identity: String {
        let hellos = wires.flatMap(\.own).filter { $0.method == "broker.hello" }
        return hellos.compactMap { $0.params["identity"]?.string }.last ?? program.identity
            ?? "org.example.checked"
    }

    /// An address of a kind that the program supports, as JSON.
    var remote: String {
        let types = registration["handle_types"]?.elements.compactMap(\.string) ?? []
        let type = types.first ?? "phone"
        let value =
            switch type {
            case "phone": "+15550100"
            case "email": "ann@example.org"
            default: "sip:ann@example.org"
            }
        return #"{"type":"\#(type)","value":"\#(value)"}"#
    }

    // MARK: - Requests and replies

    /// Waits for the reply to a request of the suite.
    @discardableResult
    func reply(to id: Int, _ what: String) throws -> JSONTree {
        let wire = try wire()
        wait { wire.replies[id] != nil || wire.hasEnded || process?.exit != nil }
        if let reply = wire.replies[id] { return reply }
        if let exit = process?.exit {
            throw Stop.failed("the program ended instead of answering \(what): \(exit)")
        }
        if wire.hasEnded {
            throw Stop.failed("the program closed its connection instead of answering \(what)")
        }
        throw Stop.failed("no answer to \(what) (request \(id)) within \(patienceMS) ms")
    }

    /// Waits until the program has read everything so far, by its reply to a ping. Any reply
    /// counts.
    func ping(_ payload: String = #""still there?""#) throws {
        try reply(to: try wire().ask("broker.ping", #"{"payload":\#(payload)}"#), "broker.ping")
    }

    func notify(_ method: String, _ params: String = "{}") throws {
        try wire().write(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    /// Requests an action that the broker has not planned. Returns the id of the request.
    func inject(
        _ kind: String, on call: String, _ arguments: String = "{}", action: String? = nil,
        attempt: Int = 1, more: String = ""
    ) throws -> Int {
        try wire().ask(
            "provider.perform",
            #"{"action":"\#(action ?? newID())","kind":"\#(kind)","call":"\#(call)","#
                + #""arguments":\#(arguments),"transaction":"\#(newID())","#
                + #""cause":{"origin":"user"},"deadline_ms":5000,"attempt":\#(attempt)\#(more)}"#)
    }

    /// Requests an action: through the broker as the user if the broker allows it now, otherwise
    /// directly. Returns the id of the request.
    func perform(_ kind: String, on call: String, _ members: String = "") throws -> Int {
        let wire = try wire()
        let count = wire.asked.count
        if broker.call(call) != nil {
            let more = members.isEmpty ? "" : "," + members
            user.request("call.\(kind)", #"{"call":"\#(call)"\#(more)}"#)
            func asked() -> Wire.Asked? {
                wire.asked.dropFirst(count).first { $0.kind == kind && $0.call == call }
            }
            // The request follows the offer of the whole transaction.
            if registration["takes_transactions"]?.boolean == true { wait { asked() != nil } }
            if let asked = asked() { return asked.id }
        }
        return try inject(kind, on: call, "{\(members)}")
    }

    /// Waits for a valid answer, and checks that there is only one. Returns whether the action was
    /// performed.
    @discardableResult
    func settle(_ id: Int, _ kind: String) throws -> Bool {
        let before = faults.count
        let answer = try reply(to: id, kind)
        try ping()
        let wrong = faults.dropFirst(before).first {
            [.answeredTwice, .badReply, .unknownID, .nullID].contains($0.fault)
        }
        if let wrong { throw Stop.failed(wrong.reason) }
        return answer["result"] != nil
    }

    // MARK: - Calls

    /// Starts a call. Returns nil if the program refuses it.
    ///
    /// - Parameter more: further members of the request, each after a comma.
    func startCall(_ more: String = "") throws -> String? {
        let wire = try wire()
        let count = wire.asked.count
        let request = user.request(
            "call.start", #"{"provider":"\#(identity)","remote":\#(remote)\#(more)}"#)
        guard let call = request.result?["actions"]?.elements.last?["call"]?.string else {
            record(
                "#", "the broker does not start a call with the program: \(request.reason ?? "")")
            return nil
        }
        func asked() -> Wire.Asked? {
            wire.asked.dropFirst(count).first { $0.kind == "start" && $0.call == call }
        }
        // A program that takes over whole transactions receives no single actions.
        wait { asked() != nil || broker.call(call)?["state"]?.string != "starting" }
        guard let asked = asked() else {
            return broker.call(call)?["state"]?.string == "starting" ? nil : call
        }
        let answer = try reply(to: asked.id, "start")
        broker.settle()
        return answer["result"] == nil ? nil : call
    }

    /// Causes an incoming call. Returns its id.
    func ring() throws -> String {
        try reportIncoming(after: try ringCommand()).call
    }

    /// Runs a command that causes an incoming call. Returns the report of it, with its reply.
    func reportIncoming(after command: String) throws -> Wire.Own {
        try report(after: command) { $0.method == "call.report_incoming" && !$0.isDryRun }
    }

    /// The command that causes an incoming call.
    func ringCommand() throws -> String {
        guard program.isProvider else { throw Stop.notApplicable("the program has no calls") }
        guard let command = program.ring else {
            throw Stop.notApplicable("nobody can call it: give --ring COMMAND, or \"x_ring\"")
        }
        return command
    }

    /// Runs a command that causes a call. Returns the report of it, with its reply.
    func report(
        after command: String, isAwaited: (Wire.Own) -> Bool
    ) throws -> Wire.Own {
        // A program that its manifest registers may have hardly started.
        try ping()
        let wire = try wire()
        let count = wire.own.count
        record("#", "a call: \(command)")
        let child: ChildProgram
        do throws(SocketError) {
            child = try ChildProgram(
                ["/bin/sh", "-c", command], environment: environment, folder: program.folder,
                descriptors: [(ours: 2, theirs: 1)])
        } catch {
            throw Stop.failed("the command failed: \(error)")
        }
        defer { child.reap() }
        func report() -> Wire.Own? {
            wire.own.dropFirst(count).first { isAwaited($0) && $0.reply != nil }
        }
        guard wait(until: { report() != nil }), let report = report() else {
            throw Stop.failed("no call was reported within \(patienceMS) ms after: \(command)")
        }
        return report
    }

    /// Lets the user answer a call of another app. Returns its id.
    func answerCall(of app: FakeProvider) -> String {
        record("#", "the user answers a call of another app")
        let call = newID()
        app.ring(call, from: "+15550199")
        user.request("call.answer", #"{"call":"\#(call)"}"#)
        return call
    }

    /// Waits until a call has a state, which it may get only when the program answers an action.
    func expect(_ state: String, of call: String, after what: String) throws {
        wait {
            broker.settle()
            return broker.call(call)?["state"]?.string == state
        }
        let last = broker.call(call)?["state"]?.string ?? "over"
        guard last == state else {
            throw Stop.failed("\(what), and the program's call is \(last) instead of \(state)")
        }
        try ping()
    }

    /// Returns a live call, started or answered; nil if the program can do neither.
    func liveCall() throws -> String? {
        guard program.isProvider else { return nil }
        if let call = try startCall() { return call }
        guard program.ring != nil else { return nil }
        let call = try ring()
        guard broker.call(call) != nil else { return nil }
        let id = try perform("answer", on: call)
        return try reply(to: id, "answer")["result"] == nil ? nil : call
    }

    /// Returns a live call for a scenario that needs one.
    func neededCall() throws -> String {
        guard let call = try liveCall() else {
            throw Stop.notApplicable(
                "the program starts no calls, and no incoming call can be caused")
        }
        return call
    }

    /// Returns a live call, or an unknown id, which the program must answer all the same.
    func someCall() throws -> String {
        try liveCall() ?? newID()
    }

    /// Waits briefly until a call is active, if the program connects it by itself. What it reports before
    /// its answer to a ping is received for certain.
    func awaitActive(_ call: String) {
        try? ping()
        wait(min(patienceMS, 300)) {
            !["dialing", "alerting", "connecting"].contains(broker.call(call)?["state"]?.string)
        }
    }

    func requireSupport(_ member: String, of call: String) throws {
        guard let listed = broker.call(call), listed[member]?.boolean != true else { return }
        throw Stop.notApplicable("the program's calls do not have \(member)")
    }

    /// Returns an endpoint that the program has reported as available for a call.
    func availableEndpoint(of call: String) throws -> String {
        let endpoints = broker.call(call)?["endpoints"]?.elements ?? []
        guard let free = endpoints.first(where: { $0["state"]?.string == "available" }),
            let id = free["endpoint"]?.string
        else { throw Stop.notApplicable("the program's calls have no endpoints to choose") }
        return id
    }
}
