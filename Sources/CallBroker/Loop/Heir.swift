internal import BrokerSocket
internal import CallJournal
internal import CallModel
internal import CallStore
internal import Logging

/// Makes a broker that goes on where the one before it stopped, or was killed.
struct Heir {
    private let configuration: BrokerConfiguration
    private let clock: LoopClock
    private let store: StoreThread
    /// What the store wakes.
    private let wakeup: Wakeup
    private let logger: Logger

    /// - Throws: if the host's names cannot be read: without them the calls of before would be over.
    init(
        _ configuration: BrokerConfiguration, clock: LoopClock, _ store: StoreThread,
        wakes wakeup: Wakeup, _ logger: Logger
    ) throws(SocketError) {
        var configuration = configuration
        configuration.host = try .own()
        self.configuration = configuration
        self.clock = clock
        self.store = store
        self.wakeup = wakeup
        self.logger = logger
    }

    /// One that has no predecessor, and keeps no journal.
    func startAnew() -> Broker {
        let broker = successor()
        attachStore(to: broker)
        return broker
    }

    /// Who is known must be clear before the first call comes.
    private func attachStore(to broker: Broker) {
        broker.store.attach(store)
        while !store.isIdle {
            wakeup.wait()
            broker.store.settle()
        }
    }

    private func awaitStore() {
        while !store.isIdle {
            wakeup.wait()
            store.settle()
        }
    }

    private func successor() -> Broker {
        makeBroker(epoch: configuration.epoch)
    }

    private func makeBroker(epoch: UUIDBits?) -> Broker {
        var configuration = configuration
        configuration.epoch = epoch
        return Broker(
            configuration: configuration, clock: clock, ownUID: HostProcess.userID, logger: logger)
    }

    func takeOver(_ folder: JournalFolder) throws(SocketError) -> Broker {
        let journal = Journal(folder)
        let broker: Broker
        if let reader = try readJournal(in: folder) {
            broker = try successor(reader, folder, journal)
        } else {
            broker = successor()
            broker.journal.begin(journal)
        }
        attachStore(to: broker)
        broker.journal.stateFolder = folder.path
        broker.journal.commit()
        if let fault = journal.fault { throw fault }
        return broker
    }

    /// Nil if there is none, or none that can be read.
    private func readJournal(in folder: JournalFolder) throws(SocketError) -> JournalReader? {
        let bytes: [UInt8]?
        do throws(SocketError) { bytes = try folder.read() } catch {
            guard error.kind == .unusable else { throw error }
            return try lose(folder, "\(error)")
        }
        guard let bytes else { return nil }
        do throws(JournalFault) { return try JournalReader(bytes) } catch {
            return try lose(folder, "\(error)")
        }
    }

    private func lose(
        _ folder: JournalFolder, _ fault: String
    ) throws(SocketError) -> JournalReader? {
        let aside = try folder.keepAside()
        logger.error(
            "the journal cannot be read, and its calls are lost; it is kept as \(aside): \(fault)")
        return nil
    }

    private func successor(
        _ reader: JournalReader, _ folder: JournalFolder, _ journal: Journal
    ) throws(SocketError) -> Broker {
        var reader = reader
        let former = makeBroker(epoch: reader.snapshot.epoch)
        former.recover(&reader)
        saveHistory(of: former)
        if let fault = reader.fault {
            let aside = try folder.keepAside()
            logger.error(
                "the journal is damaged, and what comes behind is lost; it is kept as \(aside): \(fault)"
            )
        }
        // An edited file counts more than what was said before.
        let isEdited = reader.snapshot.configured != configuration.choices
        let choices = isEdited ? configuration.choices : former.policy.choices
        let broker = try goOn(former, reader, folder, journal)
        broker.policy.choose(choices)
        if isEdited { journal.beginAnew(broker.snapshot()) }
        return broker
    }

    private func goOn(
        _ former: Broker, _ reader: JournalReader, _ folder: JournalFolder, _ journal: Journal
    ) throws(SocketError) -> Broker {
        if let clock = clockToGoOn(former, reader.snapshot.host) {
            former.journal.begin(journal, after: reader)
            former.resume(clock)
            return former
        }
        former.conclude()
        saveHistory(of: former)
        if reader.snapshot.host.machine == configuration.host.machine {
            logger.notice("the host has been started anew: the calls of before are over")
        } else {
            let aside = try folder.keepAside()
            logger.warning(
                "the journal is of another host, and its calls are over; it is kept as \(aside)")
        }
        let broker = successor()
        broker.inherit(from: former)
        broker.journal.begin(journal)
        return broker
    }

    /// What the journal knows of calls that are over goes to the store before a journal begins that does
    /// not know it any more. What a store that fails does not take goes to the next broker.
    private func saveHistory(of broker: Broker) {
        broker.history.write(to: store)
        awaitStore()
    }

    /// Nil if what went on then cannot go on now.
    private func clockToGoOn(_ former: Broker, _ host: HostName) -> LoopClock? {
        // The clock of a test stands where it stood.
        if case .manual = clock { return .manual(former.clock.now) }
        return host == configuration.host && former.clock.now <= clock.now ? clock : nil
    }
}

extension HostName {
    /// Ours. A host without such files has empty names; one whose names cannot be read is not another.
    fileprivate static func own() throws(SocketError) -> HostName {
        HostName(
            boot: try HostFile.line("/proc/sys/kernel/random/boot_id"),
            machine: try HostFile.line("/etc/machine-id"))
    }
}
