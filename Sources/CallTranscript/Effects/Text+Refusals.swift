internal import CallArbitration
internal import CallModel

/// Refusals, failures and decisions.

extension Refusal: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("reason", reason)
        writer.member("rule", rule)
        writer.member("limit", limit)
        writer.member("blocking", blocking, default: [])
        writer.member("action_index", actionIndex)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(try members.required("reason"))
        try members.read("rule", into: &rule)
        try members.read("limit", into: &limit)
        try members.read("blocking", into: &blocking)
        try members.read("action_index", into: &actionIndex)
    }
}

/// A limit, written as `held_groups:4`.
extension Refusal.Limit: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(string: name, String(value))
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Refusal.Limit {
        let (name, value) = try field.parts(
            expected: "a limit, such as held_groups:4", atLast: true)
        return Refusal.Limit(name: name.verbatim, value: try Int.read(value))
    }
}

/// A blocking call, written as `1:org.example.a`.
extension Refusal.Blocker: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        var call = TranscriptWriter(lineage: writer.lineage)
        self.call.write(to: &call)
        writer.append(string: call.text, provider.name)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Refusal.Blocker {
        let (call, provider) = try field.parts(
            expected: "a call and its provider, such as 1:org.example.a")
        return Refusal.Blocker(
            call: try CallID.read(call), provider: ProviderID(provider.verbatim))
    }
}

extension ActionFailure: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("code", code)
        writer.member("reason", reason)
        writer.member("message", message)
        writer.member("app_code", appCode)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            code: try members.required("code"), reason: try members.required("reason"),
            message: try members.optional("message"), appCode: try members.optional("app_code"))
    }
}

extension Decision: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("rule", rule)
        writer.member("verdict", verdict)
        writer.member("call", call)
        writer.member("cause", cause)
        writer.member("blocking", blocking, default: [])
        writer.member("reason", reason)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            try members.optional("rule"), try members.required("verdict"),
            call: try members.optional("call"), cause: try members.required("cause"),
            blocking: try members.optional("blocking", default: []),
            reason: try members.optional("reason"))
    }
}
