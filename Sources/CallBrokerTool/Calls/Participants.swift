internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker participants`: who takes part in a conference that the far end runs, and requests to mute
/// them or to raise a hand.
struct Participants: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "participants",
        abstract: "List the participants of a conference, mute them, or raise a hand.",
        discussion: """
            As the app of the call has reported them, such as those of a meeting. Calls that are \
            merged on this host are a group: "callbroker calls" has each of them. Without an argument \
            the only connected call is meant. Whether somebody can be muted is up to the app.
            """)

    enum Hand: String, EnumerableFlag {
        case raiseHand, lowerHand
    }

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Option(help: "Mute this participant, by name or id.") var mute: String?
    @Option(help: "Unmute this participant, by name or id.") var unmute: String?
    @Flag(exclusivity: .exclusive, help: "Raise or lower your hand.") var hand: Hand?
    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard [mute != nil, unmute != nil, hand != nil].count(where: { $0 }) < 2 else {
            throw ValidationError("--mute, --unmute and a hand are one request each")
        }
    }

    func run() throws {
        let isChange = mute != nil || unmute != nil || hand != nil
        let session = try client.open(
            isChange ? .controller : .observer,
            waiting: Double(MethodTable.changeParticipantMS / 1_000 + 2))
        let call = try CallChooser(session).choose(call, Self.candidates)
        try isChange ? change(call, session) : list(call, session)
    }

    private func change(_ call: String, _ session: Session) throws {
        var all: [Participant] = []
        try session.forEachPage(.participants, { $0.member("call", call) }) { page in
            all += page.result["participants"]?.elements.map { Participant(checked: $0) } ?? []
        }
        let words = mute ?? unmute
        let found = all.filter { words == nil ? $0.isSelf : $0.id == words || $0.name == words }
        guard let one = found.first, found.count == 1 else {
            throw ToolFailure(.errorReply, Messages.participantsUnknown)
        }
        let reply = try session.request(.updateParticipant) { writer in
            writer.member("call", call)
            writer.member("participant", one.id)
            if let hand {
                writer.member("hand_raised", hand == .raiseHand)
            } else {
                writer.member("muted", mute != nil)
            }
        }
        session.show(reply) { _ in "" }
    }

    private func list(_ call: String, _ session: Session) throws {
        try session.showList(.participants, "participants", { $0.member("call", call) }) { list in
            guard !list.isEmpty else { return Messages.participantsNone }
            return TextTable(
                [
                    .text(Messages.headingName), .plain(Messages.headingState),
                    .text(Messages.headingAddress),
                ], list.map { Self.row(Participant(checked: $0)) }
            ).description
        }
    }

    private static let candidates = Candidates(
        none: Messages.callNoneToShow, several: Messages.callSeveralToShow,
        verbs: [], states: ["active", "held"])

    private static func row(_ participant: Participant) -> [String] {
        [
            (participant.name ?? participant.id).printable,
            ([Words.participant(participant.state)] + marks(of: participant)).joined(
                separator: ", "),
            participant.handle?.value.printable ?? "",
        ]
    }

    private static func marks(of participant: Participant) -> [String] {
        [
            participant.isMuted ? Messages.participantsMuted : nil,
            participant.isHandRaised ? Messages.participantsHandRaised : nil,
            participant.isSelf ? Messages.participantsSelf : nil,
        ].compactMap(\.self)
    }
}
