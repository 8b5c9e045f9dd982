internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker may-ring`: whether a call would ring now, for dial plans and scripts.
struct MayRing: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "may-ring",
        abstract: "Ask whether a call at an app would ring now.",
        discussion: """
            For the dial plan of a PBX and other scripts, which ask before a call comes in: nobody \
            sees the question, and nothing is recorded or started. Exits with 0 if the call would \
            ring or wait behind another, and with 1 if not; the words say why.

              callbroker may-ring org.example.pbx +15550100 || exit-to-voicemail
            """)

    @Argument(
        help: "The app that would have the call, by its identity.",
        completion: Suggestions.providers)
    var app: String

    @Argument(
        help: "The caller: a number, an address or a contact.", completion: Suggestions.contacts)
    var address: String

    @Option(help: "The line of the app that would have the call.") var line: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.controller)
        let remote = Handle(link: try session.link(of: address))
        let reply = try session.request(.mayRing) { writer in
            writer.member("provider", app)
            writer.member("remote", remote)
            writer.member("line", ifSet: line)
        }
        session.show(reply, Self.text)
    }

    private static func text(_ answer: JSONValue) -> String {
        let rule = answer["rule"]?.string?.printable ?? ""
        let words =
            switch (answer["state"]?.string, answer["presentation"]?.string) {
            case ("ringing", "ring"): Messages.mayRingRings(rule: rule)
            case ("ringing", _): Messages.mayRingSilent(rule: rule)
            default: Messages.mayRingWaits(rule: rule)
            }
        let unasked = answer["unasked"]?.elements.compactMap { $0.string?.printable } ?? []
        guard !unasked.isEmpty else { return words }
        return words + "\n" + Messages.mayRingUnasked(names: unasked.joined(separator: ", "))
    }
}
