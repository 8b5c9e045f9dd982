internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// The checks of what keeps a phone silent although everything works.
struct SilenceCheck {
    private(set) var findings: [Finding] = []

    init(_ session: Session) {
        if let policy = session.requestIfPossible(.getPolicy) {
            checkFilters(policy.result["policy"])
        }
        checkSchemes(session)
        guard let info = session.requestIfPossible(.info) else { return }
        checkScreen(info.result)
        // Earlier releases do not report these, nor does a broker to others than admins.
        guard let checks = info.result["checks"] else { return }
        checkQuiet(checks)
        checkFolders(checks)
        if checks["network"]?.boolean == false { checkNetwork(session) }
    }

    /// The findings about incoming calls.
    var aboutRinging: [Finding] {
        findings.filter { !$0.isAboutDialing }
    }

    private mutating func warn(_ subject: String, _ words: String, _ remedy: String) {
        findings.append(Finding(.warning, subject, words, remedy: remedy))
    }

    private mutating func warnAboutDialing(_ subject: String, _ words: String, _ remedy: String) {
        warn(subject, words, remedy)
        findings[findings.count - 1].isAboutDialing = true
    }

    // MARK: - Filters

    private mutating func checkFilters(_ policy: JSONValue?) {
        let word = policy?["unknown_callers"]?.string?.printable ?? "ring"
        if word != "ring" {
            warn(
                Messages.doctorUnknownCallers, Messages.doctorUnknownCallersSilent(policy: word),
                "callbroker policy set unknown_callers=ring")
        }
        if policy?["do_not_disturb"]?["on"]?.boolean == true {
            warn(Messages.doctorDoNotDisturb, Messages.doctorQuiet, "callbroker dnd off")
        }
    }

    private mutating func checkQuiet(_ checks: JSONValue) {
        guard checks["quiet"]?.boolean == true,
            !findings.contains(where: { $0.subject == Messages.doctorDoNotDisturb })
        else { return }
        warn(
            Messages.doctorDoNotDisturb, Messages.doctorQuietScheduled,
            Messages.doctorQuietScheduledHint)
    }

    // MARK: - Who rings, and who dials

    private mutating func checkScreen(_ info: JSONValue) {
        guard info["screen"] == nil else { return }
        warn(
            Messages.doctorScreen, Messages.doctorNoScreen,
            Messages.doctorNoScreenHint)
    }

    private mutating func checkSchemes(_ session: Session) {
        var (schemes, kinds): (Set<String>, Set<String>) = ([], [])
        var hasApps = false
        _ = try? session.forEachPage(.listProviders) { page in
            for app in page.result["providers"].map({ Array($0.elements) }) ?? [] {
                hasApps = true
                schemes.formUnion(app["url_schemes"]?.elements.compactMap(\.string) ?? [])
                kinds.formUnion(app["handle_types"]?.elements.compactMap(\.string) ?? [])
            }
        }
        guard hasApps else { return }
        if kinds.contains("phone") { schemes.insert("tel") }
        let missing = ["tel", "sip"].filter { !schemes.contains($0) }
        guard let last = missing.last else { return }
        let words = missing.dropLast().reversed().reduce(last) { others, scheme in
            Messages.doctorSchemeOr(scheme: scheme, other: others)
        }
        warnAboutDialing(
            Messages.doctorAddresses, Messages.doctorNoScheme(schemes: words),
            Messages.doctorNoSchemeHint)
    }

    // MARK: - Plugins

    private mutating func checkFolders(_ checks: JSONValue) {
        let folders = checks["plugin_folders"].map { $0.elements.compactMap(\.string) } ?? []
        guard let own = folders.last, !folders.contains(where: HostFile.isFolder) else { return }
        warn(
            Messages.doctorPlugins, Messages.doctorNoPluginFolder,
            "mkdir -p \(own.printable); callbroker plugin rescan")
    }

    /// Reports plugins that have the broker's restrictions: they share its service.
    private mutating func checkNetwork(_ session: Session) {
        var restricted: [String] = []
        _ = try? session.forEachPage(.listPlugins) { page in
            for plugin in page.result["plugins"].map({ Array($0.elements) }) ?? [] {
                guard let pid = plugin["pid"]?.integer, Self.isFiltered(pid) else { continue }
                restricted.append(plugin["plugin"]?.string?.printable ?? "")
            }
        }
        guard !restricted.isEmpty else { return }
        findings.append(
            Finding(
                .problem, Messages.doctorNetwork,
                Messages.doctorNoNetwork(plugins: restricted.joined(separator: ", ")),
                remedy: Messages.doctorNoNetworkHint))
    }

    /// Returns whether system calls of a plugin are filtered (`seccomp`). A plugin that `systemd-run`
    /// has started is in a service of its own, and has none of its filters.
    private static func isFiltered(_ pid: Int64) -> Bool {
        let status = (try? HostFile.read("/proc/\(pid)/status")) ?? []
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return !lines.contains("Name:\tsystemd-run")
            && lines.contains { $0.hasPrefix("Seccomp:") && !$0.hasSuffix("0") }
    }
}
