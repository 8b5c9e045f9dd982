internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The facts about a dialed address that are kept beside its call; the address itself is not.
struct DialledLink {
    /// The scheme; nil if the address has none, or an overlong one.
    let scheme: String?
    /// The requester, which may have disconnected before the refusal.
    let requester: Requester
}

/// A dialed address that is not called.
struct RefusedDial {
    let link: DialledLink
    let error: RPCError
    let rule: Rule?
    /// The transaction, if the call was begun.
    var transaction: TransactionID?
}

/// The refused dials, published to screens: a user who follows a link sees neither the program that
/// requests the call nor its error.
final class RefusedDials: BrokerPart {
    /// The refused dials that are not published yet.
    private var dials: [RefusedDial] = []

    /// Records a request that was refused before the arbiter decided about it.
    func record(_ refused: RefusedParams, _ target: ReplyTarget, _ error: RPCError) {
        guard !refused.isDryRun else { return }
        let link = DialledLink(
            scheme: refused.uri.flatMap(DialledAddress.scheme(of:)),
            requester: broker.requester(target.peer))
        record(RefusedDial(link: link, error: error, rule: nil))
    }

    /// Records a request that the arbiter has refused, or whose call has failed.
    func record(
        _ request: WaitingRequest, _ error: RPCError, _ rule: Rule?,
        _ transaction: TransactionID? = nil
    ) {
        guard let link = request.target?.link,
            case .transaction(let options) = request.form, !options.isDryRun
        else { return }
        record(RefusedDial(link: link, error: error, rule: rule, transaction: transaction))
    }

    /// Records a refused dial, unless its client has cancelled it.
    private func record(_ refused: RefusedDial) {
        guard refused.error.code != .cancelled else { return }
        dials.append(refused)
    }

    /// Publishes the refused dials after all other consequences of an event: a restarted broker counts
    /// these events and cannot repeat them.
    func publish() {
        guard !dials.isEmpty else { return }
        let refused = dials
        dials = []
        for dial in refused {
            broker.journal.append(.dialRefusedPublished)
            broker.events.publish(.dialRefused, nil, dial.link.requester.provider) {
                dial.write(to: &$0)
            }
        }
    }
}

extension RefusedDial {
    /// It may name many apps.
    private static let hintMax = 1_000

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("reason", error.reason.rawValue)
        // Who reads this has not written the params.
        writer.member("message", error.message.replacing("params.uri", with: "the address"))
        writer.member("hint", ifSet: error.hint.map { String($0.prefix(Self.hintMax)) })
        writer.member("scheme", ifSet: link.scheme)
        if let transaction { writer.member("transaction", transaction) }
        writer.member("cause", Cause(link.requester.origin, rule: rule))
    }
}

extension Requester {
    fileprivate var provider: ProviderID? {
        if case .app(let provider) = self { provider } else { nil }
    }
}

extension DialledAddress {
    private static let schemeBytesMax = 64

    /// The text before the colon, if it is a scheme.
    static func scheme(of uri: String) -> String? {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let scheme = uri[..<colon].lowercased()
        return scheme.utf8.count <= schemeBytesMax && isScheme(scheme) ? scheme : nil
    }
}
