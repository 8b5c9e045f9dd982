package import CallModel
internal import CallProtocol

extension Supervision {
    /// What a manifest says about a plugin's life.
    package struct Settings: Hashable, Sendable {
        /// The broker starts it.
        package var hasProgram = true
        package var start = PluginManifest.Start.demand
        package var restart = PluginManifest.Restart.onFailure
        package var isImplicit = false
        /// It is not ready before it has registered.
        package var registers = true
        /// It opens its session once the app is there that it stands for, however long that takes.
        package var standsForApp = false
        package var isPinged = true
        package var stopTimeoutMS = 5_000
        /// How long it may be unresponsive while it has calls.
        package var graceMS = 5_000

        package init() {}

        package init(_ manifest: PluginManifest) {
            hasProgram = manifest.program != nil
            start = manifest.start
            restart = manifest.restart
            isImplicit = manifest.handshake == .implicit
            registers = manifest.roles.contains(.provider)
            standsForApp = manifest.provider?.appIsSeparate == true
            isPinged = manifest.isPinged
            stopTimeoutMS = manifest.stopTimeoutMS
            graceMS = manifest.provider?.graceMS ?? (standsForApp ? 15_000 : 5_000)
        }
    }

    /// What others see.
    package enum State: String, CaseIterable, Sendable {
        /// Its user does not want it. From any state, until it is enabled.
        case disabled
        /// A manifest hides it, or its own has gone. From any state, until there is one again.
        case masked
        /// No process, and none is wanted now.
        case stopped
        /// There is a process that has not opened its session.
        case starting
        /// It does its work.
        case ready
        /// It has not answered two pings. From there ready again, or its process is ended.
        case unresponsive
        /// It has failed, and is started again soon.
        case backoff
        /// It has failed too often. From there by a restart, or another manifest.
        case failed
    }

    /// How a process ended.
    package enum ExitStatus: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    /// Why a process was no good.
    package enum Failure: String, CaseIterable, Sendable {
        case notSpawned = "not_spawned"
        case exited
        case helloMissing = "hello_missing"
        case registrationMissing = "registration_missing"
        case connectionLost = "connection_lost"
        case unresponsive
    }

    package enum Timer: Hashable, CaseIterable, Sendable {
        /// Until hello, then until it has registered.
        case opening
        /// Until the next look whether it has been silent for long.
        case silence
        /// Until the answer to a ping.
        case ping
        /// While it is unresponsive and has calls.
        case grace
        /// While it goes: until the next step is taken.
        case leaving
        case backoff
        /// Until what was before is forgotten.
        case health
    }

    package enum Event: Hashable, Sendable {
        /// The broker begins to serve, or the plugin has just been found.
        case booted
        case startRequested
        /// A call needs it.
        case demanded
        case stopRequested
        case restartRequested
        case enabled
        case disabled
        /// Its manifest is another, or there is one again.
        case manifestChanged(Settings)
        /// Its manifest has gone, or is empty.
        case manifestMasked
        /// No process came of it. The number is for the pause.
        case spawnFailed(random: UInt32)
        /// Its session is open.
        case connected
        case registered
        /// Its connection has gone.
        case connectionLost
        /// It said something, then.
        case heard(at: Instant)
        case callsChanged(hasCalls: Bool)
        /// It has not reacted to something in time.
        case doubted
        /// Its process has gone.
        case exited(ExitStatus, random: UInt32)
        case timerFired(Timer)
    }

    package enum Effect: Hashable, Sendable {
        case spawn
        case ping
        case sayGoodbye
        /// Nothing more is sent to it: a reader at its end hears the end of the stream.
        case closeWriting
        /// To the whole group of processes.
        case terminate
        case kill
        case startTimer(Timer, at: Instant)
        case stopTimer(Timer)
        case announce(from: State, to: State)
    }

    /// A process that goes.
    package struct Leaving: Equatable, Sendable {
        package enum Step: Sendable {
            case goodbye, terminating, killing
        }

        package enum Next: Equatable, Sendable {
            case rest(Rest)
            case start
            /// It was ended because it was no good.
            case retry

            /// Whether no wish for a start changes it.
            var isFinal: Bool {
                self == .rest(.disabled) || self == .rest(.masked)
            }
        }

        package var step = Step.goodbye
        package var next: Next
        /// As it was when it was told to go: there is no word for going.
        let shown: State
    }

    /// A process that is wanted.
    package struct Run: Equatable, Sendable {
        package enum Stage: Sendable {
            case awaitingHello, awaitingRegistration, ready, unresponsive
        }

        package var stage: Stage
        /// As it was when its connection was lost; nil as long as it was never connected, or is.
        var formerState: State?
        /// Pings that it has not answered.
        var pings = 0
        var pingedAt = Instant.zero

        var hasLostConnection: Bool {
            formerState != nil
        }

        var state: State {
            switch stage {
            // Its provider is told of as lost; whether it goes as well is seen in a moment.
            case .awaitingHello, .awaitingRegistration: formerState ?? .starting
            case .ready: .ready
            case .unresponsive: .unresponsive
            }
        }
    }

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

    package enum Phase: Equatable, Sendable {
        case resting(Rest)
        case running(Run)
        case leaving(Leaving)
        /// An app that the broker does not start is connected.
        case attached
    }
}
