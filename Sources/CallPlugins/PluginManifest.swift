package import CallModel
package import CallProtocol

/// The description of a plugin by its author, in `IDENTITY.plugin.json`: enough to list, start and
/// explain it without running it.
package struct PluginManifest: Equatable, Sendable {
    package var identity: String
    /// The name that people see.
    package var name: String
    package var version: String?
    package var summary: String?
    package var protocolMajors: ClosedRange<Int>
    package var roles: RoleSet
    /// The process; nil for an app that connects on its own.
    package var program: Program?
    package var handshake = Handshake.explicit
    package var start = Start.demand
    package var restart = Restart.onFailure
    /// The configuration to register with; nil if the plugin registers on its own.
    package var provider: ProviderConfiguration?
    package var screener: Screening?
    package var directory: Screening?
    package var screen: Screen?
    /// The topics that the plugin is subscribed to without a request.
    package var events: TopicSet = []
    package var options: [PluginOption] = []
    /// The things that the plugin drives and runs with, all of which must be on the host.
    package var needs: [Need] = []
    /// The time to exit after `broker.goodbye`, in milliseconds.
    package var stopTimeoutMS = 5_000
    /// Indicates that the plugin is pinged when it is silent.
    package var isPinged = true

    package init(identity: String, name: String, roles: RoleSet) {
        self.identity = identity
        self.name = name
        self.roles = roles
        protocolMajors = Release.protocolMajors
    }

    /// The way to open the session.
    package enum Handshake: String, CaseIterable, Sendable {
        /// The plugin sends `broker.hello`.
        case explicit
        /// There is no `broker.hello`: the plugin is ready, and registered from its manifest, as
        /// soon as it runs.
        case implicit
    }

    /// Conditions for starting the plugin.
    package enum Start: String, CaseIterable, Sendable {
        /// Starts with the broker.
        case boot
        /// Starts with the first call that needs it.
        case demand
        /// Starts on request only.
        case manual
    }

    /// Conditions for restarting a process that has exited.
    package enum Restart: String, CaseIterable, Sendable {
        case onFailure = "on_failure"
        case always, never
    }

    /// The settings of a screen.
    package struct Screen: Equatable, Sendable {
        /// The priority; the screen with the highest presents calls.
        package var priority: Int
        /// Indicates that the screen plays the ringtone for the calls that it presents.
        package var rings: Bool

        package init(priority: Int, rings: Bool) {
            self.priority = priority
            self.rings = rings
        }
    }

    /// The settings for requests that a call waits for before it rings.
    package struct Screening: Equatable, Sendable {
        /// Indicates that a missing reply blocks the call.
        package var failsClosed = false
        /// The time that a call waits, in milliseconds; nil for the default.
        package var budgetMS: Int?
        /// The priority among several directories; the answer of the highest counts.
        package var priority = 0

        package init() {}
    }
}

extension PluginManifest {
    /// The process of a plugin.
    package struct Program: Equatable, Sendable {
        /// The connection of the process to the broker.
        package enum Transport: String, CaseIterable, Sendable {
            /// A socket on descriptors 0 and 1; lines that are not JSON are log output.
            case stdio
            /// A socket on descriptor 3; standard output is log output.
            case fd3
            /// The broker's own socket, named by `BROKER_SOCKET`.
            case connect
        }

        /// The fate of child processes outside its process group when it exits.
        package enum Children: String, CaseIterable, Sendable {
            /// Kills them, where the host has cgroups.
            case end
            /// Leaves them running.
            case outlive
        }

        /// The command line; the first element is a path, or a name to be searched for in `PATH`.
        package var arguments: [String]
        package var transport = Transport.stdio
        package var environment: [Variable] = []
        /// Variables that the process inherits from the broker's environment.
        package var passedVariables: [String] = []
        package var folder: String?
        /// The limit of the address space, in MiB.
        package var memoryMB: Int?
        /// The limit of open descriptors.
        package var descriptors: Int?
        package var children = Children.end

        package init(_ arguments: [String]) {
            self.arguments = arguments
        }
    }

    /// An environment variable.
    package struct Variable: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension PluginManifest {
    /// A thing that must be on the host for the plugin to be of use.
    package struct Need: Equatable, Sendable {
        /// The buses of D-Bus.
        package enum Bus: String, CaseIterable, Sendable {
            case session, system
        }

        /// The things that can be looked for.
        package enum Thing: Equatable, Sendable {
            case program(String)
            /// A library of Python.
            case module(String)
            /// A name on a bus, which has an owner or can be activated.
            case service(String, Bus)
            /// Any of several, the first of which that is there counts.
            case oneOf([Need])
        }

        package let thing: Thing
        /// The Debian package that brings it.
        package let package: String?
        /// The values that the plugin's options have with it, by their names.
        package let options: [String: String]

        package init(_ thing: Thing, package: String? = nil, options: [String: String] = [:]) {
            self.thing = thing
            self.package = package
            self.options = options
        }
    }
}

/// A setting of a plugin that its user may change.
package struct PluginOption: Equatable, Sendable {
    /// Types of values.
    package enum Kind: String, CaseIterable, Sendable {
        case string, int, bool, list
        /// A string that is never displayed.
        case secret
    }

    package let name: String
    package let kind: Kind
    /// The value if none is set.
    package let fallback: PluginValue?
    package let summary: String?
    /// Indicates that a running plugin is notified of a change; otherwise it is restarted.
    package let isDynamic: Bool
    /// Indicates that a first run asks for the value.
    package let isAsked: Bool

    package init(
        _ name: String, _ kind: Kind, fallback: PluginValue? = nil, summary: String? = nil,
        isDynamic: Bool = false, isAsked: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.fallback = fallback
        self.summary = summary
        self.isDynamic = isDynamic
        self.isAsked = isAsked
    }
}

/// The value of an option.
package enum PluginValue: Equatable, Sendable {
    case string(String)
    case int(Int64)
    case bool(Bool)
    case list([String])
}
