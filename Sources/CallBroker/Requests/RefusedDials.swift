internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// What is remembered of an address that somebody wants to call, beside the call: never the address.
struct DialledLink {
    /// Nil if it has none, or one that is too long to be one.
    let scheme: String?
    /// Who may be gone when it is refused.
    let requester: Requester
}

/// An address that is not called.
struct RefusedDial {
    let link: DialledLink
    let error: RPCError
    let rule: Rule?
    /// If its call was begun.
    var transaction: TransactionID?
}

/// Whoever follows a link does not see the program that asks for the call, nor its error: screens are
/// told, and show it.
final class RefusedDials {
    private unowned let broker: Broker

    /// Addresses that are not called, and of which screens do not know yet.
    private var dials: [RefusedDial] = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// A request that was refused before anybody was asked.
    func note(_ refused: RefusedParams, _ target: ReplyTarget, _ error: RPCError) {
        guard !refused.isDryRun else { return }
        let link = DialledLink(
            scheme: refused.uri.flatMap(DialledAddress.scheme(of:)),
            requester: broker.requester(target.peer))
        note(RefusedDial(link: link, error: error, rule: nil))
    }

    /// One that the arbiter has refused, or whose call did not come about.
    func note(
        _ request: WaitingRequest, _ error: RPCError, _ rule: Rule?,
        _ transaction: TransactionID? = nil
    ) {
        guard let link = request.target?.link,
            case .transaction(let options) = request.form, !options.isDryRun
        else { return }
        note(RefusedDial(link: link, error: error, rule: rule, transaction: transaction))
    }

    /// What somebody took back is no news to him.
    private func note(_ refused: RefusedDial) {
        guard refused.error.code != .cancelled else { return }
        dials.append(refused)
    }

    /// Behind everything else that the same event has brought: another broker counts these events, and
    /// cannot tell them again.
    func publish() {
        guard !dials.isEmpty else { return }
        let refused = dials
        dials = []
        for dial in refused {
            broker.journal.append(.dialRefusedTold)
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
        writer.member("reason", error.reason)
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

    /// What stands before the colon, if it is a scheme.
    static func scheme(of uri: String) -> String? {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let scheme = uri[..<colon].lowercased()
        return scheme.utf8.count <= schemeBytesMax && isScheme(scheme) ? scheme : nil
    }
}
