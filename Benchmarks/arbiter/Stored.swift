import CAllocations
import CallArbitration
import CallModel

/// What storing costs: an event, as a journal gets it, and the whole state, as a snapshot.
struct StoredTable {
    /// So few that some rounds are disturbed by nobody.
    private let events = 5_000
    private let eventRounds = 400
    private let heldCalls = 100_000
    private let stateRounds = 15

    func print() {
        Swift.print("| event | bytes | store, ns | read, ns | allocations when stored |")
        Swift.print("|---|---|---|---|---|")
        for (name, event) in samples { printEvent(name, event) }
        Swift.print("")
        Swift.print("| state | bytes | bytes per call | store, ms | read, ms |")
        Swift.print("|---|---|---|---|---|")
        var phone = Phone(held: heldCalls)
        printState("\(heldCalls) held calls", phone.arbiter)
        for turn in 0..<heldCalls { phone.hangUp(phone.ring(at: turn), at: turn) }
        printState("the same, and 65,536 remembered", phone.arbiter)
    }

    private var samples: [(String, ArbiterEvent)] {
        let (call, provider) = (CallID(UUIDBits(high: .max / 3, low: .max / 5)), Phone.provider(1))
        let mute = TransactionRequest(
            token: RequestToken(123_456), requester: .user,
            actions: [RequestedAction(call: call, action: .setMuted(true))])
        var update = CallUpdate()
        update.remote = .set(Handle(kind: .phone, value: "+15550100"))
        update.displayName = .set("Ada Lovelace")
        let incoming = IncomingReport(
            token: RequestToken(123_456), provider: provider, call: call, update: update)
        return [
            ("transaction_requested, set_muted", .transactionRequested(mute)),
            ("action_fulfilled", .actionFulfilled(ActionID(call.bits), by: provider)),
            ("incoming_reported", .incomingReported(incoming)),
            ("timer_fired", .timerFired(.ring(call))),
        ]
    }

    private func printEvent(_ name: String, _ event: ArbiterEvent) {
        let now = Instant(nanoseconds: 86_400_123_456_789)
        var writer = StateWriter()
        writer.write(event, at: now)
        let size = writer.bytes.count
        let before = allocations_so_far()
        let stored = best(of: eventRounds) {
            for _ in 0..<events {
                writer.removeAll()
                writer.write(event, at: now)
            }
        }
        let allocations = allocations_so_far() - before
        let bytes = writer.bytes
        let read = best(of: eventRounds) {
            for _ in 0..<events {
                var reader = StateReader(bytes[...])
                guard (try? reader.readEvent()) != nil else { return Swift.print("unreadable") }
            }
        }
        let cells = [
            name, String(size), nanoseconds(stored), nanoseconds(read),
            String(allocations / UInt64(events * eventRounds)),
        ]
        Swift.print("| " + cells.joined(separator: " | ") + " |")
    }

    private func printState(_ name: String, _ arbiter: Arbiter) {
        var bytes: [UInt8] = []
        let stored = best(of: stateRounds) { bytes = arbiter.stored() }
        let read = best(of: stateRounds) {
            do {
                let again = try Arbiter(stored: bytes[...])
                if again.visibleCalls.count != heldCalls { Swift.print("other calls") }
            } catch {
                Swift.print(error)
            }
        }
        let cells = [
            name, String(bytes.count), String(bytes.count / heldCalls), milliseconds(stored),
            milliseconds(read),
        ]
        Swift.print("| " + cells.joined(separator: " | ") + " |")
    }

    /// The shortest of some rounds: the one that others disturbed least.
    private func best(of rounds: Int, _ body: () -> Void) -> Duration {
        let clock = ContinuousClock()
        return (0..<rounds).map { _ in clock.measure(body) }.min() ?? .zero
    }

    private func nanoseconds(_ duration: Duration) -> String {
        String(duration.components.attoseconds / 1_000_000_000 / Int64(events))
    }

    private func milliseconds(_ duration: Duration) -> String {
        String(duration / .milliseconds(1)).prefix { $0 != "." }.description
    }
}
