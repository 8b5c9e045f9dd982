internal import BrokerJSON
internal import CallProtocol

/// A command that requests one action of one call.
protocol SingleCallCommand: ActionCommand {
    /// The name of the call; nil for the only candidate.
    var call: String? { get }

    static var candidates: Candidates { get }
    static var method: MethodName { get }
    /// The state to set, where the method sets and clears one.
    static var setting: Setting? { get }
}

/// A boolean param of a method, and its value.
struct Setting {
    let member: StaticString
    let value: Bool

    init(_ member: StaticString, _ value: Bool) {
        self.member = member
        self.value = value
    }
}

extension SingleCallCommand {
    static var setting: Setting? { nil }

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let call = try CallChooser(session).choose(call, Self.candidates)
        return ActionRequest(Self.method) { writer in
            writer.member("call", call)
            if let setting = Self.setting { writer.member(setting.member, setting.value) }
        }
    }
}
