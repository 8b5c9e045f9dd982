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
            let bytes = journal["bytes"]?.integer ?? 0
            findings = [
                Finding(.ok, Messages.doctorJournal, Messages.doctorJournalKept(bytes: "\(bytes)"))
            ]
        case "failing":
            findings = [Self.failing(journal["message"]?.string?.printable ?? "")]
        default:
            findings = [Self.off(isTest: session.hasTestMethods)]
        }
    }

    private static func failing(_ message: String) -> Finding {
        let isFull = ["No space left", "Disk quota"].contains { message.contains($0) }
        return Finding(
            .problem, Messages.doctorJournal, Messages.doctorJournalFailing(reason: message),
            remedy: isFull ? Messages.doctorJournalFullHint : Messages.doctorJournalFailingHint)
    }

    private static func off(isTest: Bool) -> Finding {
        guard !isTest else {
            return Finding(.ok, Messages.doctorJournal, Messages.doctorJournalTest)
        }
        return Finding(
            .warning, Messages.doctorJournal, Messages.doctorJournalOff,
            remedy: Messages.doctorJournalOffHint)
    }

    /// Reports files that an earlier broker could not read completely.
    static func savedFiles(in folder: String?) -> [Finding] {
        let state = StateFolder(
            option: folder, environment: Environment.current, uid: HostProcess.userID)
        return HostFile.names(inFolder: state.path).sorted().compactMap { name in
            let path = "\(state.path)/\(name)"
            if name.hasPrefix("journal.kept-") {
                return Finding(
                    .warning, Messages.doctorJournal,
                    Messages.doctorJournalSaved(path: path),
                    remedy: Messages.doctorJournalSavedHint(path: path))
            }
            guard name.hasPrefix("plugins.json.kept-") else { return nil }
            return Finding(
                .warning, Messages.doctorPlugins,
                Messages.doctorSettingsSaved(path: path),
                remedy: Messages.doctorSettingsSavedHint(path: path))
        }
    }
}

extension Session {
    /// True if the broker serves the methods of the test mode.
    fileprivate var hasTestMethods: Bool {
        requestIfPossible(.describe, { $0.member("name", MethodName.advance.rawValue) }) != nil
    }
}
