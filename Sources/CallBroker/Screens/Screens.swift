internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// The claims of screens, and the calls that are offered to or presented by each. A screen is
/// identified by the slot of its connection.
///
/// A call is presented by one screen at a time, or by none. It is offered to the claims in their
/// order, to each at most once: a screen that declined is asked again only if it claims again, or
/// if the screen that presented the call releases it or disconnects. So nothing is offered in
/// circles, whatever the screens answer. One that answers too late is asked once more: it may have
/// been busy, or its machine asleep, and be the only one.
///
/// Screens are asked one after the other for as long as one may take to answer. Then all others are
/// asked at once, and the first to accept presents the call: however many screens do not respond, a
/// call waits only for one of them.
struct Screens {
    private struct Claim {
        let screen: Int
        let priority: Int
        /// True if the screen rings for calls that it presents.
        var rings: Bool
    }

    /// A request to a screen that it has not answered yet.
    struct PendingOffer {
        let screen: Int
        let request: Int64
        /// The timer of the deadline.
        let timer: TimerQueue<TimerPurpose>.Handle
    }

    /// A call that a screen presents or was offered, and must not present any more.
    struct Assignment {
        let call: CallID
        let screen: Int
        /// The offer, if the screen has not answered it.
        let offer: PendingOffer?
    }

    /// The state of a call that was offered.
    private struct OfferedCall {
        /// The offers without an answer: one, or several at once.
        var pending: [PendingOffer] = []
        /// The screen that presents the call.
        var presenter: Int?
        /// The screens that need not be asked again.
        var asked: Set<Int> = []
        /// The screens that have answered too late, and were asked again for that.
        var late: Set<Int> = []
        /// The time of the first offer; nil before it.
        var firstAskedAt: MonotonicTime?
        /// True once all screens are asked at once.
        var isForAll = false

        /// Returns the index of the pending offer to a screen.
        func index(of screen: Int) -> Int? {
            pending.firstIndex { $0.screen == screen }
        }
    }

    /// The claims, by priority and then by age.
    private var claims: [Claim] = []
    /// Screens that have missed a deadline and not responded since: they are asked last.
    private var unresponsive: Set<Int> = []
    /// Connections that may claim.
    private var seats: Set<Int> = []
    /// The calls that were offered.
    private var calls: [CallID: OfferedCall] = [:]

    /// The primary screen, which is offered the next call first.
    var holder: Int? {
        first { _ in true }
    }

    var claimants: [Int] {
        claims.map(\.screen)
    }

    /// The number of calls that a screen presents.
    func presented(by screen: Int) -> Int {
        calls.values.count { $0.presenter == screen }
    }

    private func first(where isWanted: (Int) -> Bool) -> Int? {
        let wanted = claims.lazy.map(\.screen).filter(isWanted)
        return wanted.first { !unresponsive.contains($0) } ?? wanted.first
    }

    // MARK: - Claims

    mutating func seat(_ screen: Int) {
        seats.insert(screen)
    }

    func seats(besides screen: Int) -> Int {
        seats.count - (seats.contains(screen) ? 1 : 0)
    }

    /// Removes a screen whose connection has closed; the slot may be reused.
    ///
    /// - Returns: the calls of the screen, which no screen presents now.
    mutating func leave(_ screen: Int) -> [Assignment] {
        seats.remove(screen)
        return claims.contains { $0.screen == screen } ? release(screen) : []
    }

    /// Adds a claim. A screen that claims again keeps its position, unless its priority has
    /// changed, and is asked again about calls that no screen presents.
    mutating func claim(_ screen: Int, priority: Int, rings: Bool) {
        for call in calls.keys { calls[call]?.asked.remove(screen) }
        if let former = claims.firstIndex(where: { $0.screen == screen }) {
            claims[former].rings = rings
            guard claims[former].priority != priority else { return }
            claims.remove(at: former)
        }
        let index = claims.firstIndex { $0.priority < priority } ?? claims.endIndex
        claims.insert(Claim(screen: screen, priority: priority, rings: rings), at: index)
    }

    /// Removes a claim.
    ///
    /// - Returns: the calls of the screen, which no screen presents now.
    mutating func release(_ screen: Int) -> [Assignment] {
        claims.removeAll { $0.screen == screen }
        unresponsive.remove(screen)
        return calls.keys.sorted().compactMap { release($0, by: screen) }
    }

    private mutating func release(_ call: CallID, by screen: Int) -> Assignment? {
        if calls[call]?.presenter == screen {
            // Every other screen may be asked again.
            calls[call] = OfferedCall()
            return Assignment(call: call, screen: screen, offer: nil)
        }
        calls[call]?.asked.remove(screen)
        return removeOffer(of: call, to: screen)
            .map { Assignment(call: call, screen: screen, offer: $0) }
    }

    // MARK: - Offers

    /// Returns the next screen to offer a call to; nil if a screen presents it, a pending offer
    /// blocks others, or all screens have been asked.
    func next(for call: CallID) -> Int? {
        guard let offered = calls[call] else { return holder }
        guard offered.presenter == nil, offered.isForAll || offered.pending.isEmpty else {
            return nil
        }
        return first { !offered.asked.contains($0) && offered.index(of: $0) == nil }
    }

    /// Returns true if a screen rings for a call: the one that presents it or, before that, one
    /// that it is offered to.
    func ring(for call: CallID) -> Bool {
        guard let offered = calls[call] else { return holder.map(rings) ?? false }
        if let presenter = offered.presenter { return rings(presenter) }
        return offered.pending.contains { rings($0.screen) }
    }

    private func rings(_ screen: Int) -> Bool {
        claims.contains { $0.screen == screen && $0.rings }
    }

    mutating func offer(_ call: CallID, _ offer: PendingOffer, at now: MonotonicTime) {
        var offered = calls[call] ?? OfferedCall()
        offered.asked.insert(offer.screen)
        offered.pending.append(offer)
        offered.firstAskedAt = offered.firstAskedAt ?? now
        calls[call] = offered
    }

    /// Skips a screen, as if it had declined.
    mutating func skip(_ screen: Int, for call: CallID) {
        calls[call, default: OfferedCall()].asked.insert(screen)
    }

    /// Returns the offer that a screen has not answered yet.
    func pendingOffer(of call: CallID, to screen: Int) -> PendingOffer? {
        guard let offered = calls[call] else { return nil }
        return offered.index(of: screen).map { offered.pending[$0] }
    }

    private mutating func removeOffer(of call: CallID, to screen: Int) -> PendingOffer? {
        guard let index = calls[call]?.index(of: screen) else { return nil }
        return calls[call]?.pending.remove(at: index)
    }

    // MARK: - Answers

    /// Marks a screen that has answered, even if late.
    mutating func markResponsive(_ screen: Int) {
        unresponsive.remove(screen)
    }

    /// Lets a screen be asked once more about a call: it has answered too late.
    mutating func answerLate(_ call: CallID, by screen: Int) {
        guard calls[call]?.late.insert(screen).inserted == true else { return }
        calls[call]?.asked.remove(screen)
    }

    /// Makes a screen the presenter of a call.
    ///
    /// - Returns: the other screens with a pending offer.
    mutating func accept(_ call: CallID, by screen: Int) -> [Assignment] {
        guard removeOffer(of: call, to: screen) != nil else { return [] }
        let others = assignments(of: call)
        calls[call]?.pending = []
        calls[call]?.presenter = screen
        return others
    }

    /// Removes an offer that a screen has declined. All screens are asked at once when a series of
    /// refusals has taken as long as one time-out.
    mutating func decline(_ call: CallID, by screen: Int, at now: MonotonicTime) {
        guard removeOffer(of: call, to: screen) != nil else { return }
        if let start = calls[call]?.firstAskedAt,
            now >= start.advanced(milliseconds: MethodTable.presentMS)
        {
            calls[call]?.isForAll = true
        }
    }

    /// Removes an offer that a screen has not answered in time.
    mutating func timeOut(_ call: CallID, by screen: Int) -> Assignment? {
        guard let offer = removeOffer(of: call, to: screen) else { return nil }
        unresponsive.insert(screen)
        calls[call]?.isForAll = true
        return Assignment(call: call, screen: screen, offer: offer)
    }

    /// Removes a call that has ended.
    ///
    /// - Returns: the screens that present it or were offered it.
    mutating func remove(_ call: CallID) -> [Assignment] {
        defer { calls[call] = nil }
        return assignments(of: call)
    }

    private func assignments(of call: CallID) -> [Assignment] {
        guard let offered = calls[call] else { return [] }
        if let screen = offered.presenter {
            return [Assignment(call: call, screen: screen, offer: nil)]
        }
        return offered.pending.map { Assignment(call: call, screen: $0.screen, offer: $0) }
    }
}
