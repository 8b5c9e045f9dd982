internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker hold`.
struct Hold: AskingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold a call, and all of its conference.")

    @Argument(help: CallArgument.help) var call: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(
            participle: "held", verbs: ["hold"], states: ["active"], isForGroups: true)
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.setHeld) { writer in
            writer.member("call", call)
            writer.member("held", true)
        }
    }
}

/// `callbroker resume`.
struct Resume: AskingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Resume a held call, and hold the live one.")

    @Argument(help: CallArgument.help) var call: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(
            participle: "resumed", verbs: ["resume"], states: ["held"], isForGroups: true)
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.setHeld) { writer in
            writer.member("call", call)
            writer.member("held", false)
        }
    }
}

/// `callbroker swap`.
struct Swap: AskingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let the live call and a held one change places.",
        discussion: "Without a call the one that was held last is resumed.")

    @Argument(help: CallArgument.help) var call: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        guard call != nil else { return Question(.swap) }
        let candidates = Candidates(participle: "swapped", verbs: ["swap"], isForGroups: true)
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.swap) { $0.member("call", call) }
    }
}

/// `callbroker mute`.
struct Mute: AskingCommand {
    static let configuration = CommandConfiguration(abstract: "Turn the microphone off.")

    @Argument(help: CallArgument.help) var call: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(participle: "muted", verbs: ["mute"], isForGroups: true)
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.setMuted) { writer in
            writer.member("call", call)
            writer.member("muted", true)
        }
    }
}

/// `callbroker unmute`.
struct Unmute: AskingCommand {
    static let configuration = CommandConfiguration(abstract: "Turn the microphone on again.")

    @Argument(help: CallArgument.help) var call: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(participle: "unmuted", verbs: ["unmute"], isForGroups: true)
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.setMuted) { writer in
            writer.member("call", call)
            writer.member("muted", false)
        }
    }
}

/// `callbroker dtmf`.
struct DTMF: AskingCommand {
    enum Style: String, CaseIterable, ExpressibleByArgument {
        case single
        case softPause = "soft_pause"
        case hardPause = "hard_pause"
    }

    static let configuration = CommandConfiguration(
        commandName: "dtmf", abstract: "Play tones to the other side.")

    @Argument(help: "The keys: 0-9 A-D * #, and the pauses , ; p w.") var digits: String
    @Argument(help: CallArgument.help) var call: String?
    @Option(help: "How the tones came about.") var style: Style?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(
            participle: "played tones to", verbs: ["play_dtmf"], states: ["active"])
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.playDTMF) { writer in
            writer.member("call", call)
            writer.member("digits", digits)
            writer.member("style", ifSet: style?.rawValue)
        }
    }
}

/// `callbroker merge`.
struct Merge: AskingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a conference of two calls.",
        discussion: "Without the second call, or both, there may be only one way to do it.")

    @Argument(help: CallArgument.help) var call: String?
    @Argument(help: "A call of the conference that it joins.") var with: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(participle: "merged", verbs: ["merge"], isForGroups: true)
        let chooser = try CallChooser(session)
        let first =
            try call.map { try chooser.choose($0, candidates) } ?? chooser.firstOfTwo(candidates)
        let second =
            try with.map { try chooser.choose($0, candidates) }
            ?? chooser.partner(of: first, candidates)
        return Question(.merge) { writer in
            writer.member("call", first)
            writer.member("with", second)
        }
    }
}

/// `callbroker split`.
struct Split: AskingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take a call out of its conference.",
        discussion: "It becomes the live one, the others are held.")

    @Argument(help: CallArgument.help) var call: String?
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let candidates = Candidates(participle: "split off", verbs: ["split"])
        let call = try CallChooser(session).choose(call, candidates)
        return Question(.split) { $0.member("call", call) }
    }
}
