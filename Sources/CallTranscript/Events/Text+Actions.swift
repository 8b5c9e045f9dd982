internal import CallArbitration
internal import CallModel

/// Actions, dispatched and completed.

/// An action, written as its kind and the arguments of that kind.
extension CallAction: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("kind", kind)
        switch self {
        case .start(let arguments): arguments.writeMembers(to: &writer)
        case .answer, .end: break
        case .setHeld(let isHeld): writer.member("held", isHeld)
        case .setMuted(let isMuted): writer.member("muted", isMuted)
        case .setGroup(let other): writer.member(orNull: "with", other)
        case .playDTMF(let digits, let style):
            writer.member("digits", digits)
            writer.member("style", style, default: .single)
        case .setEndpoint(let endpoint): writer.member("endpoint", endpoint)
        case .setVideo(let video): writer.member("video", video)
        case .setText(let hasText): writer.member("text", hasText)
        case .transfer(let address), .deflect(let address): writer.member("to", address)
        case .attendedTransfer(let other): writer.member("with", other)
        }
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        let kind: ActionKind = try members.required("kind")
        switch kind {
        case .start: self = .start(try StartArguments(members: &members))
        case .answer: self = .answer
        case .end: self = .end
        case .setHeld: self = .setHeld(try members.required("held"))
        case .setMuted: self = .setMuted(try members.required("muted"))
        case .setGroup: self = .setGroup(with: try members.requiredOrNull("with"))
        case .playDTMF:
            self = .playDTMF(
                digits: try members.required("digits"),
                try members.optional("style", default: .single))
        case .setEndpoint: self = .setEndpoint(try members.required("endpoint"))
        case .setVideo: self = .setVideo(try members.required("video"))
        case .setText: self = .setText(try members.required("text"))
        case .transfer: self = .transfer(to: try members.required("to"))
        case .attendedTransfer: self = .attendedTransfer(with: try members.required("with"))
        case .deflect: self = .deflect(to: try members.required("to"))
        }
    }
}

extension StartArguments: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("remote", remote)
        writer.member("has_video", hasVideo, default: false)
        writer.member("has_text", hasText, default: false)
        writer.member("contact", contact)
        writer.member("line", line)
        writer.member("emergency", isEmergency, default: false)
        writer.member("background", isBackground, default: false)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            remote: try members.required("remote"),
            hasVideo: try members.optional("has_video", default: false),
            hasText: try members.optional("has_text", default: false),
            contact: try members.optional("contact"), line: try members.optional("line"),
            isEmergency: try members.optional("emergency", default: false),
            isBackground: try members.optional("background", default: false))
    }
}

extension Dispatch: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("action", action)
        writer.member("provider", provider)
        writer.member("call", call)
        kind.writeMembers(to: &writer)
        writer.member("transaction", transaction)
        writer.member("cause", cause)
        writer.member("deadline_ms", deadlineMS)
        writer.member("attempt", attempt)
        writer.member("age_ms", ageMS, default: 0)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            action: try members.required("action"), provider: try members.required("provider"),
            call: try members.required("call"), kind: try CallAction(members: &members),
            transaction: try members.required("transaction"), cause: try members.required("cause"),
            deadlineMS: try members.required("deadline_ms"),
            attempt: try members.required("attempt"),
            ageMS: try members.optional("age_ms", default: 0))
    }
}

extension RequestedAction: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("call", call)
        writer.member("provider", provider)
        action.writeMembers(to: &writer)
        writer.member("choice", choice, default: .plain)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            call: try members.required("call"), provider: try members.optional("provider"),
            action: try CallAction(members: &members),
            choice: try members.optional("choice", default: .plain))
    }
}

extension TransactionReport.Entry: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("action", action)
        writer.member("kind", kind)
        writer.member("call", call)
        writer.member("provider", provider)
        writer.member("implied", isImplied, default: false)
        writer.member("state", state)
        writer.member("failure", failure)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            action: try members.optional("action"), kind: try members.required("kind"),
            call: try members.required("call"), provider: try members.required("provider"),
            isImplied: try members.optional("implied", default: false),
            state: try members.required("state"), failure: try members.optional("failure"))
    }
}

extension TransactionReport: TranscriptRecord {
    func writeMembers(to writer: inout TranscriptWriter) {
        writer.member("transaction", transaction)
        writer.member("state", state)
        writer.member("actions", entries, default: [])
        writer.member("would_hold", wouldHold, default: [])
        writer.member("would_end", wouldEnd, default: [])
        writer.member("would_activate", wouldActivate, default: [])
        writer.member("refusal", refusal)
        writer.member("joined", isJoined, default: false)
    }

    init(members: inout TranscriptMembers) throws(TranscriptError) {
        self.init(
            transaction: try members.optional("transaction"), state: try members.required("state"),
            entries: try members.optional("actions", default: []),
            refusal: try members.optional("refusal"))
        try members.read("would_hold", into: &wouldHold)
        try members.read("would_end", into: &wouldEnd)
        try members.read("would_activate", into: &wouldActivate)
        try members.read("joined", into: &isJoined)
    }
}
