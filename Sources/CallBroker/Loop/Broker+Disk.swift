internal import BrokerRPC
package import BrokerSocket
internal import CallJournal
internal import Logging

/// What waits for a disk waits on a thread of its own, and whoever was promised that it is kept has the
/// reply when it is. Everybody else goes on.
extension Broker {
    package func attach(_ disk: DiskThread) {
        self.disk = disk
        journal?.disk = disk
    }

    /// The disk has done something.
    package func settleDisk() {
        let former = journal?.fault
        disk?.settle()
        noteJournal(since: former)
    }

    /// Answers when what was chosen last for the host is on the disk.
    func whenSynced(_ target: ReplyTarget, _ reply: @escaping () -> Void) {
        guard let journal, journal.mustAwaitSync else { return reply() }
        postpone(target)
        journal.afterSync { [weak self] in self?.settle(target, reply) }
    }

    /// Answers when everything that was given to the disk by now is on it.
    func whenWritten(_ target: ReplyTarget, _ reply: @escaping () -> Void) {
        guard let disk, !disk.isIdle else { return reply() }
        postpone(target)
        disk.submit({}) { [weak self] _ in self?.settle(target, reply) }
    }
}
