internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// Whether calls would survive a restart of the broker.
struct JournalCheck {
    let findings: [Finding]
    /// Where the broker keeps it; nil if it does not say.
    let folder: String?

    init(_ session: Session) {
        guard let reply = session.tryToAsk(.info), let journal = reply.result["journal"],
            let state = journal["state"]?.string
        else {
            (findings, folder) = ([], nil)
            return
        }
        folder = journal["folder"]?.string
        switch state {
        case "kept":
            findings = [Finding(.ok, "journal", "kept, \(journal["bytes"]?.integer ?? 0) bytes")]
        case "failing":
            findings = [Self.failing(journal["message"]?.string?.printable ?? "")]
        default:
            findings = [Self.off(isTest: session.hasTestMethods)]
        }
    }

    private static func failing(_ message: String) -> Finding {
        let isFull = ["No space left", "Disk quota"].contains { message.contains($0) }
        return Finding(
            .problem, "journal", "a restart of the broker would lose calls: \(message)",
            remedy: (isFull ? "make room there" : "make that possible")
                + "; the broker tries again each second")
    }

    private static func off(isTest: Bool) -> Finding {
        guard !isTest else { return Finding(.ok, "journal", "none, in a broker for tests") }
        return Finding(
            .warning, "journal", "none: a restart of the broker ends all calls",
            remedy: "start the broker without --no-journal")
    }

    /// What an earlier broker could not read, or not to its end.
    static func keptAside(in folder: String?) -> [Finding] {
        let state = StateFolder(
            option: folder, environment: Environment.current, uid: HostProcess.userID)
        return HostFile.names(inFolder: state.path).sorted().compactMap { name in
            let path = "\(state.path)/\(name)"
            if name.hasPrefix("journal.kept-") {
                return Finding(
                    .warning, "journal",
                    "one could not be gone on with, and is kept for you to look at: \(path)",
                    remedy: "the broker's log says what was wrong; then: rm \(path)")
            }
            guard name.hasPrefix("plugins.json.kept-") else { return nil }
            return Finding(
                .warning, "plugins",
                "what was chosen for them could not be read, and is kept for you to look at: \(path)",
                remedy:
                    "choose again with callbroker plugin set and disable; the broker's log says what was wrong; then: rm \(path)"
            )
        }
    }
}

extension Session {
    /// Whether the broker serves what only tests need.
    fileprivate var hasTestMethods: Bool {
        tryToAsk(.describe, { $0.member("name", MethodName.advance.rawValue) }) != nil
    }
}
