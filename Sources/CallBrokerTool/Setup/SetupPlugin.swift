internal import BrokerJSON
internal import BrokerSocket
internal import CallPlugins
internal import CallProtocol

/// A bundled plugin for calls or for a screen, and whether this host has what it drives.
struct SetupPlugin {
    enum Kind: String, CaseIterable {
        case telephone, screen

        var title: String {
            switch self {
            case .telephone: Messages.setupTelephones
            case .screen: Messages.setupScreens
            }
        }
    }

    enum State: String {
        case found, enabled, missing, broken

        var word: String {
            switch self {
            case .found: Messages.setupStateFound
            case .enabled: Messages.setupStateEnabled
            case .missing: Messages.setupStateMissing
            case .broken: Messages.setupStateBroken
            }
        }
    }

    let source: PluginSource
    let kind: Kind
    let state: State
    /// The things that are missing, or the reason why the plugin cannot be run.
    let problems: [String]
    /// The Debian packages that bring what is missing.
    let packages: [String]
    /// The values of its options with what it would drive here.
    let options: [String: String]
    /// True if its link is in the plugin folder, and it was disabled there.
    let isDisabled: Bool

    var name: String {
        source.manifest.name.printable
    }

    var remedy: String? {
        packages.isEmpty
            ? nil : Messages.setupInstall(packages: packages.joined(separator: " ").printable)
    }

    /// - Parameters:
    ///   - source: The plugin, with its manifest.
    ///   - present: The identities of the plugins in the user's folders.
    ///   - disabled: The identities of those that the broker does not start.
    init?(_ source: PluginSource, present: Set<String>, disabled: Set<String>) {
        let roles = source.manifest.roles
        guard roles.contains(.provider) || roles.contains(.ui) else { return nil }
        self.source = source
        kind = roles.contains(.provider) ? .telephone : .screen
        isDisabled = disabled.contains(source.identity)
        guard !present.contains(source.identity) || isDisabled else {
            (state, problems, packages, options) = (.enabled, [], [], [:])
            return
        }
        let check = NeedCheck()
        let missing = source.manifest.needs.compactMap(check.problem)
        options = check.options(source.manifest.needs)
        guard missing.isEmpty else {
            (state, problems) = (.missing, missing.map(\.message.printable))
            packages = missing.compactMap(\.package)
            return
        }
        packages = []
        do throws(SocketError) {
            try source.checkProgram()
            (state, problems) = (.found, [])
        } catch {
            (state, problems) = (.broken, [error.description.printable])
        }
    }

    /// The plugin on one line, and what is to be done on a second one.
    var lines: [String] {
        let width = max(0, 10 - name.cells)
        let about = problems.isEmpty ? source.manifest.summary?.printable ?? "" : ""
        let words = [about] + problems
        let text = words.filter { !$0.isEmpty }.joined(separator: "; ")
        let head = "  \(name)\(String(repeating: " ", count: width))  \(state.word): \(text)"
        return [head] + (remedy.map { ["    " + $0] } ?? [])
    }

    func write(to writer: inout JSONWriter, _ outcome: SetupOutcome?) {
        writer.object { writer in
            writer.member("plugin", source.identity)
            writer.member("name", name)
            writer.member("kind", kind.rawValue)
            writer.member("state", outcome?.isEnabled == true ? "enabled" : state.rawValue)
            writer.member("enabled_now", outcome?.isEnabled ?? false)
            if !problems.isEmpty { writer.member("problems", words: problems) }
            if !packages.isEmpty { writer.member("packages", words: packages) }
            writer.member("message", ifSet: outcome?.problem)
            writer.member("hint", ifSet: outcome?.remedy)
        }
    }
}

/// The result of enabling a plugin.
struct SetupOutcome {
    var isEnabled = false
    /// Why it was not enabled, or does not run.
    var problem: String?
    var remedy: String?
    /// The result on one line.
    var line = ""
}
