internal import BrokerSocket
internal import CallJournal
internal import CallModel
internal import CallStore
internal import Logging

/// The loader of the broker when the daemon starts: restores the state of an earlier broker from
/// the journal, or creates a new broker.
struct BrokerLoader {
    private let configuration: BrokerConfiguration
    private let clock: LoopClock
    private let store: StoreThread
    private let disk: DiskThread
    /// The wakeup that both threads signal.
    private let wakeup: Wakeup
    private let logger: Logger

    /// - Throws: if the host's ids cannot be read: without them earlier calls would count as ended.
    init(
        _ configuration: BrokerConfiguration, clock: LoopClock, _ store: StoreThread,
        _ disk: DiskThread, wakes wakeup: Wakeup, _ logger: Logger
    ) throws(SocketError) {
        var configuration = configuration
        configuration.host = try .own()
        self.configuration = configuration
        self.clock = clock
        self.store = store
        self.disk = disk
        self.wakeup = wakeup
        self.logger = logger
    }

    /// Returns a new broker that keeps no journal.
    func makeFresh() -> Broker {
        let broker = makeBroker(epoch: configuration.epoch)
        attachStore(to: broker)
        return broker
    }

    /// Attaches the store, and waits until contacts and blocks are known: that must be so before
    /// the first call.
    private func attachStore(to broker: Broker) {
        broker.store.attach(store)
        while !store.isIdle {
            wakeup.wait()
            broker.store.drain()
        }
    }

    private func awaitStore() {
        while !store.isIdle {
            wakeup.wait()
            store.settle()
        }
    }

    private func makeBroker(epoch: UUIDBits?) -> Broker {
        var configuration = configuration
        configuration.epoch = epoch
        return Broker(
            configuration: configuration, clock: clock, ownUID: HostProcess.userID, logger: logger)
    }

    /// Returns the broker that resumes from the journal in `folder`, or a new one that keeps a
    /// journal there.
    func load(from folder: JournalFolder) throws(SocketError) -> Broker {
        let journal = Journal(folder)
        let broker: Broker
        if let reader = try readJournal(in: folder) {
            broker = try restore(reader, folder, journal)
        } else {
            broker = makeBroker(epoch: configuration.epoch)
            broker.journal.begin(journal)
        }
        attachStore(to: broker)
        broker.journal.stateFolder = folder.path
        // From here on a journal is begun anew beside the loop.
        broker.journal.attach(disk)
        broker.journal.commit()
        if let fault = journal.fault { throw fault }
        return broker
    }

    /// Returns a reader of the journal; nil if there is none, or none that can be read.
    private func readJournal(in folder: JournalFolder) throws(SocketError) -> JournalReader? {
        let bytes: [UInt8]?
        do throws(SocketError) { bytes = try folder.read() } catch {
            guard error.kind == .unusable else { throw error }
            return try quarantine(folder, "\(error)")
        }
        guard let bytes else { return nil }
        do throws(JournalFault) { return try JournalReader(bytes) } catch {
            return try quarantine(folder, "\(error)")
        }
    }

    private func quarantine(
        _ folder: JournalFolder, _ fault: String
    ) throws(SocketError) -> JournalReader? {
        let aside = try folder.keepAside()
        logger.error(
            "cannot read the journal; its calls are lost (saved as \(aside)): \(fault)")
        return nil
    }

    /// Restores the broker of a journal, and applies a configuration file that was edited
    /// meanwhile.
    private func restore(
        _ reader: JournalReader, _ folder: JournalFolder, _ journal: Journal
    ) throws(SocketError) -> Broker {
        var reader = reader
        let restored = makeBroker(epoch: reader.snapshot.epoch)
        restored.recover(&reader)
        saveHistory(of: restored)
        if let fault = reader.fault {
            let aside = try folder.keepAside()
            logger.error(
                "the journal is damaged; the rest of it is lost (saved as \(aside)): \(fault)"
            )
        }
        // An edited configuration file takes precedence over earlier changes of the policy.
        let isEdited = reader.snapshot.configured != configuration.choices
        let choices = isEdited ? configuration.choices : restored.policy.choices
        let broker = try resume(restored, reader, folder, journal)
        broker.policy.choose(choices)
        if isEdited { journal.beginAnew(broker.snapshot()) }
        return broker
    }

    /// Returns the restored broker if its calls can continue; otherwise ends them and returns a new
    /// broker.
    private func resume(
        _ restored: Broker, _ reader: JournalReader, _ folder: JournalFolder, _ journal: Journal
    ) throws(SocketError) -> Broker {
        if let clock = resumedClock(restored, reader.snapshot.host) {
            restored.journal.begin(journal, after: reader)
            restored.resume(clock)
            return restored
        }
        restored.endEverything()
        saveHistory(of: restored)
        if reader.snapshot.host.machine == configuration.host.machine {
            logger.notice("the host rebooted; earlier calls have ended")
        } else {
            let aside = try folder.keepAside()
            logger.warning(
                "the journal is from another host; its calls have ended (saved as \(aside))")
        }
        let broker = makeBroker(epoch: configuration.epoch)
        broker.inherit(from: restored)
        broker.journal.begin(journal)
        return broker
    }

    /// Writes the ended calls of the journal to the store, before a new journal begins that does
    /// not have them. Entries that a failing store does not accept go to the next broker.
    private func saveHistory(of broker: Broker) {
        broker.history.write(to: store)
        awaitStore()
    }

    /// Returns the clock of a restored broker; nil if its calls cannot continue.
    private func resumedClock(_ restored: Broker, _ host: HostName) -> LoopClock? {
        // The clock of a test resumes where it was.
        if case .manual = clock { return .manual(restored.clock.now) }
        return host == configuration.host && restored.clock.now <= clock.now ? clock : nil
    }
}

extension HostName {
    /// The names of this host. A host without such files has empty names; one whose files cannot be
    /// read is an error.
    static func own() throws(SocketError) -> HostName {
        HostName(
            boot: try HostFile.line("/proc/sys/kernel/random/boot_id"),
            machine: try HostFile.line("/etc/machine-id"))
    }
}
