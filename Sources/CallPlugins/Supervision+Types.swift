package import CallModel
internal import CallProtocol

extension Supervision {
    /// The settings in a manifest that affect a plugin's life.
    package struct Settings: Hashable, Sendable {
        /// Indicates that the broker starts the process.
        package var hasProgram = true
        package var start = PluginManifest.Start.demand
        package var restart = PluginManifest.Restart.onFailure
        /// Indicates that the plugin is ready without `broker.hello`.
        package var isImplicit = false
        /// Indicates that the plugin is ready only after its registration.
        package var registers = true
        /// Indicates an adapter, which opens its session once its app is there, however long that
        /// takes.
        package var isAdapter = false
        package var isPinged = true
        /// The time to exit after `broker.goodbye`, in milliseconds.
        package var stopTimeoutMS = 5_000
        /// The time that a plugin may be unresponsive while it has calls, in milliseconds.
        package var graceMS = 5_000

        package init() {}

        package init(_ manifest: PluginManifest) {
            hasProgram = manifest.program != nil
            start = manifest.start
            restart = manifest.restart
            isImplicit = manifest.handshake == .implicit
            // One that watches apps registers them on further connections, while they have calls.
            registers = manifest.roles.contains(.provider) && manifest.provider?.kind != .watched
            isAdapter = manifest.provider?.appIsSeparate == true
            isPinged = manifest.isPinged
            stopTimeoutMS = manifest.stopTimeoutMS
            graceMS = manifest.provider?.graceMS ?? (isAdapter ? 15_000 : 5_000)
        }
    }

    /// States of a plugin, as they are shown.
    package enum State: String, CaseIterable, Sendable {
        /// Disabled by the user. Entered from any state; left when the plugin is enabled.
        case disabled
        /// Hidden by an empty manifest, or without a manifest. Entered from any state; left when
        /// there is one again.
        case masked
        /// Without a process, and none is needed now.
        case stopped
        /// The process has not opened a session yet.
        case starting
        /// Working.
        case ready
        /// Two pings were not answered. Becomes ready again, or its process is ended.
        case unresponsive
        /// Failed, and will be restarted after a pause.
        case backoff
        /// Failed too often. Left by a request of an admin, or a changed manifest.
        case failed
    }

    /// The exit status of a process.
    package enum ExitStatus: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// Reasons for the failure of a process.
    package enum Failure: String, CaseIterable, Sendable {
        case notSpawned = "not_spawned"
        case exited
        case helloMissing = "hello_missing"
        case registrationMissing = "registration_missing"
        case connectionLost = "connection_lost"
        case unresponsive
    }

    /// Timers, by their purpose.
    package enum Timer: Hashable, CaseIterable, Sendable {
        /// The deadline of `broker.hello`, then of the registration.
        case opening
        /// The time of the next check for silence.
        case silence
        /// The deadline of the reply to a ping.
        case ping
        /// The deadline of an unresponsive plugin with calls.
        case grace
        /// The deadline of the current step of ending the process.
        case leaving
        /// The pause before the next start.
        case backoff
        /// The time without a failure after which the next pause is as short as the first.
        case health
    }

    /// Events that change the state of a plugin.
    package enum Event: Hashable, Sendable {
        /// The broker has started, or the plugin has just been found.
        case booted
        case startRequested
        /// A call needs the plugin.
        case demanded
        case stopRequested
        case restartRequested
        case enabled
        case disabled
        /// The manifest has changed, or exists again.
        case manifestChanged(Settings)
        /// The manifest was deleted, or is empty.
        case manifestMasked
        /// The process could not be started. The number randomizes the pause.
        case spawnFailed(random: UInt32)
        /// The session was opened.
        case connected
        case registered
        /// The connection was lost.
        case connectionLost
        /// The plugin sent something at that time.
        case heard(at: Instant)
        case callsChanged(hasCalls: Bool)
        /// The plugin let a deadline pass.
        case doubted
        /// The process exited. The number randomizes the pause.
        case exited(ExitStatus, random: UInt32)
        case timerFired(Timer)
    }

    /// Actions for the owner of the plugin to carry out.
    package enum Effect: Hashable, Sendable {
        case spawn
        case ping
        case sayGoodbye
        /// Shuts down the connection's sending side: the plugin reads the end of the stream.
        case closeWriting
        /// Sends SIGTERM to the whole process group.
        case terminate
        case kill
        case startTimer(Timer, at: Instant)
        case stopTimer(Timer)
        case announce(from: State, to: State)
    }

    /// A process that is to exit.
    package struct Leaving: Equatable, Sendable {
        /// The steps of ending a process.
        package enum Step: Sendable {
            case goodbye, terminating, killing
        }

        /// The continuation after the exit.
        package enum Next: Equatable, Sendable {
            case rest(Rest)
            case start
            /// Handles a failure: the process was ended because of one.
            case retry

            /// Indicates that a request for a start does not change it.
            var isFinal: Bool {
                self == .rest(.disabled) || self == .rest(.masked)
            }
        }

        package var step = Step.goodbye
        package var next: Next
        /// The state before it was to exit: there is no state for that.
        let shown: State
    }

    /// A process that is to run.
    package struct Run: Equatable, Sendable {
        package enum Stage: Sendable {
            case awaitingHello, awaitingRegistration, ready, unresponsive
        }

        package var stage: Stage
        /// The state before the connection was lost; nil while it is connected, or never was.
        var stateBeforeLoss: State?
        /// The number of pings without a reply.
        var pings = 0
        var pingedAt = Instant.zero

        var hasLostConnection: Bool {
            stateBeforeLoss != nil
        }

        var state: State {
            switch stage {
            // Its provider is published as lost; whether the process exits as well is known in a
            // moment.
            case .awaitingHello, .awaitingRegistration: stateBeforeLoss ?? .starting
            case .ready: .ready
            case .unresponsive: .unresponsive
            }
        }
    }

    /// States without a process.
    package enum Rest: CaseIterable, Sendable {
        case disabled, masked, stopped, backoff, failed

        var state: State {
            switch self {
            case .disabled: .disabled
            case .masked: .masked
            case .stopped: .stopped
            case .backoff: .backoff
            case .failed: .failed
            }
        }
    }

    /// The process in relation to the plugin.
    package enum Phase: Equatable, Sendable {
        case resting(Rest)
        case running(Run)
        case leaving(Leaving)
        /// An app that the broker does not start is connected.
        case attached
    }
}
