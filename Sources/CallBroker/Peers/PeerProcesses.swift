internal import BrokerSocket
internal import CallProtocol

/// Finds out which processes peers are, before their hellos are answered. Processes take turns: one
/// that opens many connections waits for itself.
final class PeerProcesses: BrokerPart {
    private struct Waiting {
        let peer: Peer
        let then: () -> Void
    }

    private var lookup: PeerLookup?
    private var waiting = FairQueue<Waiting>()
    private var running = 0
    private var timer: BrokerTimers.Handle?

    private static let runningMax = 16

    func attach(_ lookup: PeerLookup) {
        self.lookup = lookup
    }

    /// Sets the process of a peer, and calls `then`: at once if the process is known already, else
    /// later, and unless the peer is gone by then.
    func find(_ peer: Peer, then: @escaping () -> Void) {
        guard lookup != nil, peer.connection.knownProcess == nil else {
            peer.process = peer.connection.knownProcess ?? PeerProcess()
            return then()
        }
        peer.isBeingFound = true
        waiting.append(Waiting(peer: peer, then: then), of: peer.connection.credentials.pid)
        findNext()
    }

    private func findNext() {
        guard let lookup else { return }
        while running < Self.runningMax, let next = waiting.popFirst() {
            guard !next.peer.stage.isOver else { continue }
            running += 1
            lookup.find(next.peer.connection, at: broker.clock.now) { [weak self] process in
                self?.finish(next, process)
            }
        }
        guard running > 0, timer == nil else { return }
        timer = broker.timers.start(afterMS: PeerLookup.limitMS, .lookup)
    }

    private func finish(_ next: Waiting, _ process: PeerProcess) {
        running -= 1
        if running == 0, let timer = timer.take() { broker.timers.cancel(timer) }
        let peer = next.peer
        peer.process = process
        peer.isBeingFound = false
        if !peer.stage.isOver { next.then() }
        broker.turn.releaseFrames(of: peer)
    }

    /// Continues with the peers whose processes were found.
    func drain() {
        lookup?.settle()
        findNext()
    }

    /// Continues with the peers whose processes cannot be found in time.
    func giveUp() {
        timer = nil
        lookup?.giveUp(at: broker.clock.now)
        findNext()
    }

    /// True if no peer waits.
    var isIdle: Bool {
        running == 0 && waiting.isEmpty
    }
}
