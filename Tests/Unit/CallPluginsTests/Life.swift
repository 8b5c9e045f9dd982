import CallModel
import CallPlugins

/// A plugin on a stage: events go in at times that the test says.
struct Life {
    typealias Effect = Supervision.Effect

    var supervision: Supervision
    private(set) var nowMS = 0

    init(
        at rest: Supervision.Rest = .stopped,
        _ change: (inout Supervision.Settings) -> Void = { _ in
        }
    ) {
        var settings = Supervision.Settings()
        change(&settings)
        supervision = Supervision(settings, at: rest)
    }

    /// One that has been started, and is ready.
    static func ready(
        _ change: (inout Supervision.Settings) -> Void = { _ in }
    ) -> Life {
        var life = Life(change)
        life.become(.startRequested, .connected, .registered)
        return life
    }

    static func at(_ milliseconds: Int) -> Instant {
        Instant.zero.advanced(byMS: milliseconds)
    }

    /// Lets the event happen so many milliseconds later.
    mutating func apply(_ event: Supervision.Event, afterMS milliseconds: Int = 0) -> [Effect] {
        nowMS += milliseconds
        return supervision.apply(event, at: Self.at(nowMS))
    }

    /// The same, where nobody looks at what follows.
    mutating func become(_ events: Supervision.Event...) {
        for event in events { _ = apply(event) }
    }

    mutating func fire(_ timer: Supervision.Timer, afterMS milliseconds: Int) -> [Effect] {
        apply(.timerFired(timer), afterMS: milliseconds)
    }

    /// It fails, and its pause passes, so many times.
    mutating func fail(times: Int) {
        for _ in 0..<times {
            become(.exited(.code(1), random: 20))
            if supervision.state == .backoff { become(.timerFired(.backoff)) }
        }
    }
}

extension Supervision.Effect {
    static func arm(_ timer: Supervision.Timer, at milliseconds: Int) -> Self {
        .startTimer(timer, at: Life.at(milliseconds))
    }
}
