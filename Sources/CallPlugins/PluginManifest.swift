package import CallModel
package import CallProtocol

/// What a plugin's author says of it, in `IDENTITY.plugin.json`: enough to list it, to start it and to
/// explain it without running it.
package struct PluginManifest: Equatable, Sendable {
    package var identity: String
    /// What people call it.
    package var name: String
    package var version: String?
    package var summary: String?
    package var protocolMajors: ClosedRange<Int>
    package var roles: RoleSet
    /// How the process is made; nil for an app that connects by itself.
    package var program: Program?
    package var handshake = Handshake.explicit
    package var start = Start.demand
    package var restart = Restart.onFailure
    /// What it registers with; nil if it says so itself.
    package var provider: ProviderConfiguration?
    package var screener: Screening?
    package var directory: Screening?
    package var screen: Screen?
    /// The topics that it hears of without subscribing.
    package var events: TopicSet = []
    package var options: [PluginOption] = []
    package var stopTimeoutMS = 5_000
    /// Whether silence is broken by a ping.
    package var isPinged = true

    package init(identity: String, name: String, roles: RoleSet) {
        self.identity = identity
        self.name = name
        self.roles = roles
        protocolMajors = Release.protocolMajors
    }

    /// Who opens the session.
    package enum Handshake: String, CaseIterable, Sendable {
        /// The plugin, with `broker.hello`.
        case explicit
        /// Nobody: it is ready, and registered from its manifest, the moment it runs.
        case implicit
    }

    package enum Start: String, CaseIterable, Sendable {
        /// With the broker.
        case boot
        /// With the first call that needs it.
        case demand
        /// When somebody says so.
        case manual
    }

    /// Whether a process that has gone comes back by itself.
    package enum Restart: String, CaseIterable, Sendable {
        case onFailure = "on_failure"
        case always, never
    }

    /// How a screen presents calls.
    package struct Screen: Equatable, Sendable {
        /// Of several screens the one with the highest presents calls.
        package var priority: Int
        /// For what it presents.
        package var rings: Bool

        package init(priority: Int, rings: Bool) {
            self.priority = priority
            self.rings = rings
        }
    }

    /// What the broker waits for before a call rings.
    package struct Screening: Equatable, Sendable {
        /// No answer counts as a block.
        package var failsClosed = false
        package var budgetMS: Int?
        /// Of several directories the one with the highest says who it is.
        package var priority = 0

        package init() {}
    }
}

extension PluginManifest {
    /// The process of a plugin.
    package struct Program: Equatable, Sendable {
        /// How the process talks to the broker.
        package enum Transport: String, CaseIterable, Sendable {
            /// By a socket on descriptors 0 and 1; what is no JSON there is a log line.
            case stdio
            /// By a socket on descriptor 3; standard output is a log.
            case fd3
            /// By the broker's own socket, named by `BROKER_SOCKET`.
            case connect
        }

        /// What becomes of processes that it has started and that have left its group, when it ends.
        package enum Children: String, CaseIterable, Sendable {
            /// They end, where the host has cgroups.
            case end
            case outlive
        }

        /// As in the manifest: the first is a path, or a name to be found in `PATH`.
        package var arguments: [String]
        package var transport = Transport.stdio
        package var environment: [Variable] = []
        /// Variables of the broker's own environment that it gets.
        package var passedVariables: [String] = []
        package var folder: String?
        /// Of address space.
        package var memoryMB: Int?
        package var descriptors: Int?
        package var children = Children.end

        package init(_ arguments: [String]) {
            self.arguments = arguments
        }
    }

    package struct Variable: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// Something about a plugin that its user chooses.
package struct PluginOption: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case string, int, bool, list
        /// A string that nobody is shown.
        case secret
    }

    package let name: String
    package let kind: Kind
    package let fallback: PluginValue?
    package let summary: String?
    /// A running plugin is told of a change; else it is started anew.
    package let isDynamic: Bool

    package init(
        _ name: String, _ kind: Kind, fallback: PluginValue? = nil, summary: String? = nil,
        isDynamic: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.summary = summary
        self.isDynamic = isDynamic
    }
}

/// What an option is set to.
package enum PluginValue: Equatable, Sendable {
    case string(String)
    case int(Int64)
    case bool(Bool)
    case list([String])
}
