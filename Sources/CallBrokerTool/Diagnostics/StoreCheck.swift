internal import BrokerJSON
internal import CallProtocol

/// The check of the store for contacts, blocks and history.
struct StoreCheck {
    let findings: [Finding]

    init(_ session: Session) {
        // Earlier releases do not report the store.
        guard let reply = session.requestIfPossible(.info), let store = reply.result["store"] else {
            findings = []
            return
        }
        switch store["state"]?.string {
        case "kept":
            findings = [Finding(.ok, Messages.doctorStore, Messages.doctorStoreKept)]
        case "failing": findings = [Self.failing(store["message"]?.string?.printable ?? "")]
        default: findings = [Finding(.ok, Messages.doctorStore, Messages.doctorStoreNone)]
        }
    }

    private static func failing(_ message: String) -> Finding {
        Finding(
            .problem, Messages.doctorStore,
            Messages.doctorStoreFailing(reason: message),
            remedy: Messages.doctorStoreFailingHint)
    }
}
