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
            findings = [Finding(.ok, "store", "blocks, contacts and history are available")]
        case "failing": findings = [Self.failing(store["message"]?.string?.printable ?? "")]
        default: findings = [Finding(.ok, "store", "none")]
        }
    }

    private static func failing(_ message: String) -> Finding {
        Finding(
            .problem, "store",
            "blocks, contacts and history are not available: \(message)",
            remedy:
                "correct the cause; the broker retries, and applies the blocks that it remembers "
                + "until then")
    }
}
