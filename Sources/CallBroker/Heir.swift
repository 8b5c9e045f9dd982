internal import BrokerSocket
internal import CallJournal
internal import CallModel
internal import Logging

/// Makes a broker that goes on where the one before it stopped, or was killed.
struct Heir {
    private let configuration: BrokerConfiguration
    private let clock: LoopClock
    private let logger: Logger

    init(_ configuration: BrokerConfiguration, clock: LoopClock, _ logger: Logger) {
        var configuration = configuration
        configuration.host = .own
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
    }

    /// One that has no predecessor.
    func startAnew() -> Broker {
        makeBroker(epoch: configuration.epoch)
    }

    private func makeBroker(epoch: UUIDBits?) -> Broker {
        var configuration = configuration
        configuration.epoch = epoch
        return Broker(
            configuration: configuration, clock: clock, ownUID: HostProcess.userID, logger: logger)
    }

    func takeOver(_ folder: JournalFolder) throws(SocketError) -> Broker {
        let broker: Broker
        if let reader = try readJournal(in: folder) {
            broker = try successor(reader, folder)
        } else {
            broker = startAnew()
        }
        let journal = Journal(folder)
        broker.keep(in: journal)
        if let fault = journal.fault { throw fault }
        return broker
    }

    /// Nil if there is none, or none that can be read.
    private func readJournal(in folder: JournalFolder) throws(SocketError) -> JournalReader? {
        guard let bytes = try folder.read() else { return nil }
        do throws(JournalFault) {
            return try JournalReader(bytes)
        } catch {
            let aside = try folder.keepAside()
            logger.error(
                "the journal cannot be read, and its calls are lost; it is kept as \(aside): \(error)"
            )
            return nil
        }
    }

    private func successor(
        _ reader: JournalReader, _ folder: JournalFolder
    ) throws(SocketError) -> Broker {
        var reader = reader
        let snapshot = reader.snapshot
        let former = makeBroker(epoch: snapshot.epoch)
        former.recover(&reader)
        if let fault = reader.fault {
            let aside = try folder.keepAside()
            logger.error(
                "the journal is damaged, and what comes behind is lost; it is kept as \(aside): \(fault)"
            )
        }
        let broker = goOn(former, snapshot.host)
        // An edited file counts more than what was said before.
        let isEdited = snapshot.configured != configuration.choices
        broker.choose(isEdited ? configuration.choices : former.choices)
        return broker
    }

    private func goOn(_ former: Broker, _ host: HostName) -> Broker {
        if case .manual = clock {
            former.resume(.manual(former.now))
            return former
        }
        if host == configuration.host, former.now <= clock.now {
            former.resume(clock)
            return former
        }
        former.conclude()
        logger.notice(
            host.machine == configuration.host.machine
                ? "the host has been started anew: the calls of before are over"
                : "the journal is of another host: its calls are over")
        return startAnew()
    }
}

extension HostName {
    /// Ours. A host without such files has empty names.
    fileprivate static var own: HostName {
        HostName(
            boot: HostFile.line("/proc/sys/kernel/random/boot_id"),
            machine: HostFile.line("/etc/machine-id"))
    }
}
