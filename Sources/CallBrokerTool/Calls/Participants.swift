internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker participants`: who takes part in a conference that the far end runs.
struct Participants: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the participants of a conference that the far end runs.",
        discussion: """
            As the app of the call has reported them, such as those of a meeting. Calls that are \
            merged on this host are a group: "callbroker calls" has each of them. Without an argument \
            the only connected call is meant.
            """)

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer)
        let call = try CallChooser(session).choose(call, Self.candidates)
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
