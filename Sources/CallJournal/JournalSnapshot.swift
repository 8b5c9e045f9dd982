package import CallArbitration
package import CallModel

/// All that a broker has to know to go on: a journal begins with it.
package struct JournalSnapshot: Equatable, Sendable {
    /// The release that wrote it.
    package var release: String
    package var host: HostName
    /// Names the line of states that events are numbered in.
    package var epoch: UUIDBits
    /// Between the monotonic clock and Unix time, milliseconds.
    package var wallOffsetMS: Int
    /// What the configuration said when the broker started.
    package var configured: HostChoices
    /// What holds now.
    package var choices: HostChoices
    /// Missed calls that are new to the user.
    package var missed = 0
    /// What counts while the store cannot be asked.
    package var screeningCopy = ScreeningCopy()
    package var arbiter: Arbiter
    /// The number of the latest event.
    package var seq: Int
    /// The topics that were ever asked for, as bits.
    package var topics: UInt64
    package var lastToken: UInt64
    package var timers: [StoredTimer]
    /// Actions that providers work on, or were offered.
    package var dispatches: [Dispatch]
    package var sessions: [StoredSession]
    package var asked: [AskedTransaction]
    package var waiting: [WaitingTransaction]
    package var dials: [StoredDial] = []

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

/// The host between two boots. Both names are random numbers in hex, or empty where there are none.
package struct HostName: Equatable, Sendable {
    package var boot: String
    package var machine: String

    package init(boot: String, machine: String) {
        self.boot = boot
        self.machine = machine
    }
}

/// A timer of the arbiter that runs.
package struct StoredTimer: Equatable, Sendable {
    package var timer: TimerID
    package var deadline: Instant

    package init(timer: TimerID, deadline: Instant) {
        self.timer = timer
        self.deadline = deadline
    }
}

/// A transaction whose id its client chose, and the reply to it.
package struct AskedTransaction: Equatable, Sendable {
    package struct Reply: Equatable, Sendable {
        package var report: TransactionReport
        package var seq: Int

        package init(report: TransactionReport, seq: Int) {
            self.report = report
            self.seq = seq
        }
    }

    /// There are thousands of these, and a snapshot copies all of them while everybody waits: so one
    /// is a single word to copy. Nothing in here changes.
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
    /// Until when it is remembered.
    package var expiry: Instant { content.expiry }
    package var reply: Reply? {
        get { content.reply }
        set { content = Content(request, expiry, newValue) }
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.request == other.request && one.expiry == other.expiry && one.reply == other.reply
    }
}

/// A transaction that is not over yet.
package struct WaitingTransaction: Equatable, Sendable {
    package var token: RequestToken
    package var options: CallOptions
    /// That was said already.
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
        writer.write(screeningCopy, dials)
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
        // Form 2 ends here, and forms 3 and 4 behind this.
        if reader.bytesLeft > 0 { screeningCopy = try reader.read() }
        if reader.bytesLeft > 0 { dials = try reader.read() }
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
        // Before that version it stood beside the actions.
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
