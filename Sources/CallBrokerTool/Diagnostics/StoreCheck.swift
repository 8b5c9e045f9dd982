internal import BrokerJSON
internal import CallProtocol

/// Whether the broker can ask for, and keep, what the user knows.
struct StoreCheck {
    let findings: [Finding]

    init(_ session: Session) {
        // A broker of before does not say.
        guard let reply = session.tryToAsk(.info), let store = reply.result["store"] else {
            findings = []
            return
        }
        switch store["state"]?.string {
        case "kept": findings = [Finding(.ok, "store", "blocks, contacts and history are kept")]
        case "failing": findings = [Self.failing(store["message"]?.string?.printable ?? "")]
        default: findings = [Finding(.ok, "store", "none")]
        }
    }

    private static func failing(_ message: String) -> Finding {
        Finding(
            .problem, "store",
            "blocks, contacts and history cannot be asked for, or not be kept: \(message)",
            remedy: "make that possible; the broker tries again by itself, and blocks that it knew "
                + "count until then")
    }
}
