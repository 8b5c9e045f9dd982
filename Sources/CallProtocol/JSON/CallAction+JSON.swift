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
        case .setEndpoint:
            guard let endpoint = arguments?["endpoint"]?.string else { return nil }
            self = .setEndpoint(endpoint)
        case .setVideo:
            guard let word = arguments?["video"]?.string, let video = VideoDirection(rawValue: word)
            else { return nil }
            self = .setVideo(video)
        case .setText:
            guard let hasText = arguments?["text"]?.boolean else { return nil }
            self = .setText(hasText)
        case .transfer:
            guard let address = Self.address(arguments) else { return nil }
            self = .transfer(to: address)
        case .attendedTransfer:
            guard let other = CallID(arguments?["with"]) else { return nil }
            self = .attendedTransfer(with: other)
        case .deflect:
            guard let address = Self.address(arguments) else { return nil }
            self = .deflect(to: address)
        }
    }

    private static func setGroup(_ with: JSONValue?) -> CallAction? {
        if let with, with.isNull { return .setGroup(with: nil) }
        return CallID(with).map { .setGroup(with: $0) }
    }

    private static func address(_ arguments: JSONValue?) -> Handle? {
        arguments?["to"].flatMap(Handle.init(complete:))
    }

    private static func playDTMF(_ arguments: JSONValue?) -> CallAction? {
        guard let digits = arguments?["digits"]?.string else { return nil }
        guard let word = arguments?["style"] else { return .playDTMF(digits: digits, .single) }
        return DTMFStyle(word).map { .playDTMF(digits: digits, $0) }
    }
}

extension Handle {
    /// Reads a handle; nil if its type or value is missing.
    fileprivate init?(complete value: JSONValue) {
        guard value["type"]?.utf8 != nil, value["value"]?.utf8 != nil else { return nil }
        self.init(checked: value)
    }
}

extension StartArguments {
    fileprivate init?(_ arguments: JSONValue?) {
        guard let arguments, let remote = arguments["remote"].flatMap(Handle.init(complete:)) else {
            return nil
        }
        self.init(
            remote: remote, hasVideo: arguments["has_video"]?.boolean ?? false,
            hasText: arguments["has_text"]?.boolean ?? false,
            contact: arguments["contact"]?.string, line: arguments["line"]?.string,
            isEmergency: arguments["emergency"]?.boolean ?? false,
            isBackground: arguments["background"]?.boolean ?? false)
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
            case .setGroup(let call?), .attendedTransfer(let call): writer.member("with", call)
            case .setEndpoint(let endpoint): writer.member("endpoint", endpoint)
            case .setVideo(let video): writer.member("video", video.rawValue)
            case .setText(let hasText): writer.member("text", hasText)
            case .transfer(let address), .deflect(let address): writer.member("to", address)
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
        if start.hasText { member("has_text", true) }
        member("contact", ifSet: start.contact)
        member("line", ifSet: start.line)
        if start.isEmergency { member("emergency", true) }
        if start.isBackground { member("background", true) }
    }
}
