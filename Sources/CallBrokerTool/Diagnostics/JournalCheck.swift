internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The check whether calls would survive a restart of the broker.
struct JournalCheck {
    let findings: [Finding]
    /// The folder of the journal; nil if the broker does not name it.
    let folder: String?

    init(_ session: Session) {
        guard let reply = session.requestIfPossible(.info), let journal = reply.result["journal"],
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
            .problem, "journal", "calls would be lost on a restart of the broker: \(message)",
            remedy: (isFull ? "free some space" : "correct the cause")
                + "; the broker retries every second")
    }

    private static func off(isTest: Bool) -> Finding {
        guard !isTest else { return Finding(.ok, "journal", "none, in test mode") }
        return Finding(
            .warning, "journal", "none: a restart of the broker ends all calls",
            remedy: "start the broker without --no-journal")
    }

    /// Reports files that an earlier broker could not read completely.
    static func savedFiles(in folder: String?) -> [Finding] {
        let state = StateFolder(
            option: folder, environment: Environment.current, uid: HostProcess.userID)
        return HostFile.names(inFolder: state.path).sorted().compactMap { name in
            let path = "\(state.path)/\(name)"
            if name.hasPrefix("journal.kept-") {
                return Finding(
                    .warning, "journal",
                    "a damaged journal, or one of another host, was saved: \(path)",
                    remedy: "see the broker's log, then: rm \(path)")
            }
            guard name.hasPrefix("plugins.json.kept-") else { return nil }
            return Finding(
                .warning, "plugins",
                "unreadable plugin settings were saved: \(path)",
                remedy:
                    "repeat them with callbroker plugin set and disable; see the broker's log, then: "
                    + "rm \(path)"
            )
        }
    }
}

extension Session {
    /// True if the broker serves the methods of the test mode.
    fileprivate var hasTestMethods: Bool {
        requestIfPossible(.describe, { $0.member("name", MethodName.advance.rawValue) }) != nil
    }
}
