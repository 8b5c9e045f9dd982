package import BrokerJSON
package import CallModel

extension CallAction {
    /// Reads an action; nil for an unknown kind, or if a required argument is missing.
    package init?(kind: UnsafeBufferPointer<UInt8>, arguments: JSONValue?) {
        guard let kind = ActionKind(utf8: kind) else { return nil }
        self.init(kind, arguments: arguments)
    }

    /// Reads an action; nil if a required argument is missing.
    package init?(_ kind: ActionKind, arguments: JSONValue?) {
        switch kind {
        case .start:
            guard let start = StartArguments(arguments) else { return nil }
            self = .start(start)
        case .answer: self = .answer
        case .end: self = .end
        case .setHeld:
            guard let held = arguments?["held"]?.boolean else { return nil }
            self = .setHeld(held)
        case .setMuted:
            guard let muted = arguments?["muted"]?.boolean else { return nil }
            self = .setMuted(muted)
        case .setGroup:
            guard let action = Self.setGroup(arguments?["with"]) else { return nil }
            self = action
        case .playDTMF:
            guard let action = Self.playDTMF(arguments) else { return nil }
            self = action
        }
    }

    private static func setGroup(_ with: JSONValue?) -> CallAction? {
        if let with, with.isNull { return .setGroup(with: nil) }
        return CallID(with).map { .setGroup(with: $0) }
    }

    private static func playDTMF(_ arguments: JSONValue?) -> CallAction? {
        guard let digits = arguments?["digits"]?.string else { return nil }
        guard let word = arguments?["style"] else { return .playDTMF(digits: digits, .single) }
        return DTMFStyle(word).map { .playDTMF(digits: digits, $0) }
    }
}

extension StartArguments {
    fileprivate init?(_ arguments: JSONValue?) {
        guard let arguments, let remote = arguments["remote"], remote["type"]?.utf8 != nil,
            remote["value"]?.utf8 != nil
        else { return nil }
        self.init(
            remote: Handle(checked: remote), hasVideo: arguments["has_video"]?.boolean ?? false,
            contact: arguments["contact"]?.string, line: arguments["line"]?.string,
            isEmergency: arguments["emergency"]?.boolean ?? false)
    }
}

extension JSONWriter {
    /// Writes the arguments of the action as an object, which may be empty.
    package mutating func member(arguments action: CallAction) {
        name("arguments")
        object { writer in
            switch action {
            case .start(let start): writer.members(of: start)
            case .answer, .end: break
            case .setHeld(let held): writer.member("held", held)
            case .setMuted(let muted): writer.member("muted", muted)
            case .setGroup(let call?): writer.member("with", call)
            case .setGroup(nil):
                writer.name("with")
                writer.null()
            case .playDTMF(let digits, let style):
                writer.member("digits", digits)
                writer.member("style", style.word)
            }
        }
    }

    private mutating func members(of start: StartArguments) {
        member("remote", start.remote)
        if start.hasVideo { member("has_video", true) }
        member("contact", ifSet: start.contact)
        member("line", ifSet: start.line)
        if start.isEmergency { member("emergency", true) }
    }
}
