internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker hold`.
struct Hold: SingleCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Hold a call, with its conference.")
    static let candidates = Candidates(
        none: Messages.callNoneToHold, several: Messages.callSeveralToHold, verbs: ["hold"],
        states: ["active"], isForGroups: true)
    static let method = MethodName.setHeld
    static let setting: Setting? = Setting("held", true)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions
}

/// `callbroker resume`.
struct Resume: SingleCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume a held call, and hold the live one.")
    static let candidates = Candidates(
        none: Messages.callNoneToResume, several: Messages.callSeveralToResume, verbs: ["resume"],
        states: ["held"], isForGroups: true)
    static let method = MethodName.setHeld
    static let setting: Setting? = Setting("held", false)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions
}

/// `callbroker swap`.
struct Swap: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "swap",
        abstract: "Swap the live call and a held one.",
        discussion: "If several calls are held, name one of them.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let chooser = try CallChooser(session)
        let candidates = Candidates(
            none: Messages.callNoneToSwap, several: Messages.callSeveralToSwap, verbs: ["swap"],
            among: ["held"], isForGroups: true)
        // With one held call or none, the broker's reply explains more than the tool could.
        guard call != nil || chooser.countAble(candidates) > 1 else { return ActionRequest(.swap) }
        let call = try chooser.choose(call, candidates)
        return ActionRequest(.swap) { $0.member("call", call) }
    }
}

/// `callbroker mute`.
struct Mute: SingleCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mute the microphone.")
    static let candidates = Candidates(
        none: Messages.callNoneToMute, several: Messages.callSeveralToMute, verbs: ["mute"],
        isForGroups: true)
    static let method = MethodName.setMuted
    static let setting: Setting? = Setting("muted", true)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions
}

/// `callbroker unmute`.
struct Unmute: SingleCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Unmute the microphone.")
    static let candidates = Candidates(
        none: Messages.callNoneToUnmute, several: Messages.callSeveralToUnmute, verbs: ["unmute"],
        isForGroups: true)
    static let method = MethodName.setMuted
    static let setting: Setting? = Setting("muted", false)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions
}

/// `callbroker dtmf`.
struct DTMF: ActionCommand {
    enum Style: String, CaseIterable, ExpressibleByArgument {
        case single
        case softPause = "soft_pause"
        case hardPause = "hard_pause"
    }

    static let configuration = CommandConfiguration(
        commandName: "dtmf", abstract: "Send DTMF tones.",
        discussion: """
            What follows a pause is sent later: after two seconds for each , or p, or, if the pause \
            has a ; or w, with continue-tones.
            """)

    @Argument(help: "The tones: 0-9 A-D * #, and the pauses , ; p w.") var digits: String
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Option(help: "How the user entered the tones.") var style: Style?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneToSendTones, several: Messages.callSeveralToSendTones,
            verbs: ["play_dtmf"], states: ["active"])
        let call = try CallChooser(session).choose(call, candidates)
        return ActionRequest(.playDTMF) { writer in
            writer.member("call", call)
            writer.member("digits", digits)
            writer.member("style", ifSet: style?.rawValue)
        }
    }
}

/// `callbroker continue-tones`.
struct ContinueTones: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue-tones",
        abstract: "Send the tones that wait behind a pause.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Flag(help: "Drop them instead.") var drop = false
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.controller)
        let call = try CallChooser(session).choose(
            call,
            Candidates(
                none: Messages.callNoneToSendTones, several: Messages.callSeveralToSendTones,
                verbs: ["play_dtmf"], states: ["active"]))
        let reply = try session.request(.continueTones) { writer in
            writer.member("call", call)
            if drop { writer.member("send", false) }
        }
        session.show(reply) { _ in
            drop
                ? Messages.callTonesDropped(call: ShortID(call).description)
                : Messages.callTonesContinued(call: ShortID(call).description)
        }
    }
}

/// `callbroker merge`.
struct Merge: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge two calls into a conference.",
        discussion: "An argument may be left out if only one call is possible.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Argument(help: "A call of the conference to join.", completion: Suggestions.calls) var with:
        String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneToMerge, several: Messages.callSeveralToMerge, verbs: ["merge"],
            isForGroups: true,
            needed: Messages.callNeededToMerge)
        let pair = try CallChooser(session).choosePair(call, with, candidates)
        return ActionRequest(.merge) { writer in
            writer.member("call", pair.call)
            writer.member("with", pair.with)
        }
    }
}

/// `callbroker split`.
struct Split: SingleCallCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Split a call from its conference.",
        discussion: "The call becomes live, and the others are held.")
    static let candidates = Candidates(
        none: Messages.callNoneToSplit, several: Messages.callSeveralToSplit, verbs: ["split"],
        needed: Messages.callNeededToSplit)
    static let method = MethodName.split

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions
}
