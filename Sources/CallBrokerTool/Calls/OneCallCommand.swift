internal import BrokerJSON
internal import CallProtocol

/// A verb that asks for one thing, of one call.
protocol OneCallCommand: AskingCommand {
    /// As it was named; nil for the only one that can be meant.
    var call: String? { get }

    static var candidates: Candidates { get }
    static var method: MethodName { get }
    /// What the call is to become, where the method can do it and undo it.
    static var setting: Setting? { get }
}

/// A switch of a call, as the method's params have it.
struct Setting {
    let member: StaticString
    let value: Bool

    init(_ member: StaticString, _ value: Bool) {
        self.member = member
        self.value = value
    }
}

extension OneCallCommand {
    static var setting: Setting? { nil }

    func question(_ session: Session) throws -> Question {
        let call = try CallChooser(session).choose(call, Self.candidates)
        return Question(Self.method) { writer in
            writer.member("call", call)
            if let setting = Self.setting { writer.member(setting.member, setting.value) }
        }
    }
}
