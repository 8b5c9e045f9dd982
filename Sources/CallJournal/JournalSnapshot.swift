package import CallArbitration
package import CallModel

/// The state that a broker needs to continue; the beginning of a journal.
package struct JournalSnapshot: Equatable, Sendable {
    /// The release that wrote the snapshot.
    package var release: String
    package var host: HostName
    /// The id of the history of states that events are numbered in.
    package var epoch: UUIDBits
    /// Unix time minus monotonic time, in milliseconds.
    package var wallOffsetMS: Int
    /// The policy in the configuration at the start of the broker.
    package var configured: HostChoices
    /// The policy in effect.
    package var choices: HostChoices
    /// The number of missed calls that the user has not seen.
    package var missed = 0
    /// The data used while the store is unavailable.
    package var screeningCopy = ScreeningCopy()
    package var arbiter: Arbiter
    /// The number of the latest event.
    package var seq: Int
    /// The topics that were ever subscribed to, as bits.
    package var topics: UInt64
    package var lastToken: UInt64
    package var timers: [StoredTimer]
    /// Actions that providers are performing, or were offered.
    package var dispatches: [Dispatch]
    package var sessions: [StoredSession]
    package var asked: [AskedTransaction]
    package var waiting: [WaitingTransaction]
    package var dials: [StoredDial] = []
    package var grants: [Grant] = []
    package var startable: [StoredStartable] = []
    /// Indicates that audio endpoints of the host were published.
    package var hasEndpoints = false
    /// The user's choice of an audio endpoint of the host.
    package var chosenEndpoint: String?
    /// The calls whose participants were published.
    package var conferences: [CallID] = []
    /// Indicates that a primary screen was published.
    package var hasScreen = false

    package init(
        release: String, host: HostName, epoch: UUIDBits, configured: HostChoices, arbiter: Arbiter
    ) {
        self.release = release
        self.host = host
        self.epoch = epoch
        self.configured = configured
        self.arbiter = arbiter
        choices = configured
        (wallOffsetMS, seq, topics, lastToken) = (0, 0, 0, 0)
        (timers, dispatches, sessions, asked, waiting) = ([], [], [], [], [])
    }
}

/// The identity of a boot of a host. Both names are random hexadecimal numbers, or empty if
/// unknown.
package struct HostName: Equatable, Sendable {
    package var boot: String
    package var machine: String

    package init(boot: String, machine: String) {
        self.boot = boot
        self.machine = machine
    }
}

/// A running timer of the arbiter.
package struct StoredTimer: Equatable, Sendable {
    package var timer: TimerID
    package var deadline: Instant

    package init(timer: TimerID, deadline: Instant) {
        self.timer = timer
        self.deadline = deadline
    }
}

/// A transaction whose id the client chose, with its reply.
package struct AskedTransaction: Equatable, Sendable {
    package struct Reply: Equatable, Sendable {
        package var report: TransactionReport
        package var seq: Int

        package init(report: TransactionReport, seq: Int) {
            self.report = report
            self.seq = seq
        }
    }

    /// Storage shared by copies. There are thousands of transactions, and a snapshot copies all of
    /// them while the loop waits, so a copy is a single word. The content is immutable.
    private final class Content: Sendable {
        let request: AskedRequest
        let expiry: Instant
        let reply: Reply?

        init(_ request: AskedRequest, _ expiry: Instant, _ reply: Reply?) {
            (self.request, self.expiry, self.reply) = (request, expiry, reply)
        }
    }

    private var content: Content

    package init(request: AskedRequest, expiry: Instant, reply: Reply?) {
        content = Content(request, expiry, reply)
    }

    package var request: AskedRequest { content.request }
    /// The time at which the transaction is forgotten.
    package var expiry: Instant { content.expiry }
    package var reply: Reply? {
        get { content.reply }
        set { content = Content(request, expiry, newValue) }
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.request == other.request && one.expiry == other.expiry && one.reply == other.reply
    }
}

/// A transaction that is not complete.
package struct WaitingTransaction: Equatable, Sendable {
    package var token: RequestToken
    package var options: CallOptions
    /// Indicates that the acceptance was sent.
    package var isAccepted: Bool

    package init(token: RequestToken, options: CallOptions, isAccepted: Bool) {
        self.token = token
        self.options = options
        self.isAccepted = isAccepted
    }
}

// MARK: - Stored

extension JournalSnapshot: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(release, host, epoch, configured, arbiter)
        writer.write(choices, missed)
        writer.write(wallOffsetMS, seq, topics, lastToken)
        writer.write(timers, dispatches, sessions, asked, waiting)
        writer.finishFlags()
        writer.write(screeningCopy, dials, grants, startable)
        writer.write(hasEndpoints, chosenEndpoint, conferences, hasScreen)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            release: try reader.read(), host: try reader.read(), epoch: try reader.read(),
            configured: try reader.read(), arbiter: try reader.read())
        choices = try reader.read()
        missed = try reader.read()
        wallOffsetMS = try reader.read()
        seq = try reader.read()
        topics = try reader.read()
        lastToken = try reader.read()
        timers = try reader.read()
        dispatches = try reader.read()
        sessions = try reader.read()
        asked = try reader.read()
        waiting = try reader.read()
        reader.finishFlags()
        // Form 2 ends here, forms 3 and 4 end after the copy, form 5 after the dials.
        if reader.bytesLeft > 0 { screeningCopy = try reader.read() }
        if reader.bytesLeft > 0 { dials = try reader.read() }
        if reader.bytesLeft > 0 { grants = try reader.read() }
        guard reader.bytesLeft > 0 else { return }
        startable = try reader.read()
        hasEndpoints = try reader.read()
        chosenEndpoint = try reader.read()
        conferences = try reader.read()
        if reader.bytesLeft > 0 { hasScreen = try reader.read() }
    }
}

extension HostName: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(boot, machine)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(boot: try reader.read(), machine: try reader.read())
    }
}

extension StoredTimer: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(timer, deadline)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(timer: try reader.read(), deadline: try reader.read())
    }
}

extension AskedTransaction: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(request, expiry, reply)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(request: try reader.read(), expiry: try reader.read(), reply: try reader.read())
    }
}

extension AskedTransaction.Reply: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(report, seq)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(report: try reader.read(), seq: try reader.read())
        guard reader.formVersion < 6, let failure = try reader.read() as ActionFailure? else {
            return
        }
        // Before version 6 the failure was stored beside the actions.
        let failed = report.entries.firstIndex { $0.state == .failed }
        if let failed { report.entries[failed].failure = failure }
    }
}

extension WaitingTransaction: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(token, options, isAccepted)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(
            token: try reader.read(), options: try reader.read(), isAccepted: try reader.read())
    }
}
