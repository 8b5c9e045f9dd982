internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// Who wants to present calls, and which call is whose. Screens go by the slots of their connections.
///
/// A call is presented by one screen at a time, or by none. It is offered to the claims in their order,
/// to each at most once: who declined is asked again only if it claims again, or if the screen that
/// presented the call goes. So nothing is offered in circles, whatever the screens answer.
///
/// One is asked after the other for as long as one may take to answer. Then all that are left are asked
/// at once, and the first yes counts: however many screens are silent, a call waits for one of them.
struct Screens {
    private struct Claim {
        let screen: Int
        let priority: Int
        /// Whether it rings for what it presents.
        var rings: Bool
    }

    /// What was sent to a screen, and not answered yet.
    struct Question {
        let screen: Int
        let request: Int64
        /// Runs until the answer must have come.
        let timer: TimerQueue<TimerPurpose>.Handle
    }

    /// A call that a screen has to let go of.
    struct Holding {
        let call: CallID
        let screen: Int
        /// It had not even said that it presents it.
        let question: Question?
    }

    private struct Offer {
        /// Until each has answered, or its time is over: one, or several at once.
        var questions: [Question] = []
        /// Until the screen, or the call, is gone.
        var presenter: Int?
        /// Who need not be asked again.
        var asked: Set<Int> = []
        /// Nil until somebody is asked.
        var firstAskedAt: MonotonicTime?
        /// Nobody waits for another's answer any more.
        var isForAll = false

        /// The place of what a screen was asked.
        func place(of screen: Int) -> Int? {
            questions.firstIndex { $0.screen == screen }
        }
    }

    /// The highest priority first, of two that are equal the earlier one.
    private var claims: [Claim] = []
    /// Who did not answer in time, and has not answered since: they come last.
    private var silent: Set<Int> = []
    /// Connections that may claim.
    private var seats: Set<Int> = []
    /// What has become of the calls that were offered.
    private var offers: [CallID: Offer] = [:]

    /// Who gets the next call.
    var holder: Int? {
        first { _ in true }
    }

    var claimants: [Int] {
        claims.map(\.screen)
    }

    private func first(where isWanted: (Int) -> Bool) -> Int? {
        let wanted = claims.lazy.map(\.screen).filter(isWanted)
        return wanted.first { !silent.contains($0) } ?? wanted.first
    }

    // MARK: - Who

    mutating func seat(_ screen: Int) {
        seats.insert(screen)
    }

    func seats(besides screen: Int) -> Int {
        seats.count - (seats.contains(screen) ? 1 : 0)
    }

    /// Its connection is gone, and may be another's from now on.
    /// - Returns: the calls that were its own, which nobody presents now.
    mutating func leave(_ screen: Int) -> [Holding] {
        seats.remove(screen)
        return claims.contains { $0.screen == screen } ? release(screen) : []
    }

    /// A screen that claims again keeps its place, unless it has another priority now; and it is asked
    /// again about what nobody presents.
    mutating func claim(_ screen: Int, priority: Int, rings: Bool) {
        for call in offers.keys { offers[call]?.asked.remove(screen) }
        if let former = claims.firstIndex(where: { $0.screen == screen }) {
            claims[former].rings = rings
            guard claims[former].priority != priority else { return }
            claims.remove(at: former)
        }
        let place = claims.firstIndex { $0.priority < priority } ?? claims.endIndex
        claims.insert(Claim(screen: screen, priority: priority, rings: rings), at: place)
    }

    /// - Returns: the calls that were its own, which nobody presents now.
    mutating func release(_ screen: Int) -> [Holding] {
        claims.removeAll { $0.screen == screen }
        silent.remove(screen)
        return offers.keys.sorted().compactMap { release($0, by: screen) }
    }

    private mutating func release(_ call: CallID, by screen: Int) -> Holding? {
        if offers[call]?.presenter == screen {
            // It had been taken care of, until now.
            offers[call] = Offer()
            return Holding(call: call, screen: screen, question: nil)
        }
        offers[call]?.asked.remove(screen)
        return takeQuestion(about: call, to: screen)
            .map { Holding(call: call, screen: screen, question: $0) }
    }

    // MARK: - What

    /// Who is to be asked about a call; nil if it is somebody's, or may be in a moment, or everybody has
    /// been asked.
    func next(for call: CallID) -> Int? {
        guard let offer = offers[call] else { return holder }
        guard offer.presenter == nil, offer.isForAll || offer.questions.isEmpty else { return nil }
        return first { !offer.asked.contains($0) && offer.place(of: $0) == nil }
    }

    /// Whether a screen rings for a call: the one that presents it or, as long as nobody does, one that may
    /// say in a moment that it will.
    func ring(for call: CallID) -> Bool {
        guard let offer = offers[call] else { return holder.map(rings) ?? false }
        if let presenter = offer.presenter { return rings(presenter) }
        return offer.questions.contains { rings($0.screen) }
    }

    private func rings(_ screen: Int) -> Bool {
        claims.contains { $0.screen == screen && $0.rings }
    }

    mutating func ask(about call: CallID, _ question: Question, at now: MonotonicTime) {
        var offer = offers[call] ?? Offer()
        offer.asked.insert(question.screen)
        offer.questions.append(question)
        offer.firstAskedAt = offer.firstAskedAt ?? now
        offers[call] = offer
    }

    /// A screen is passed over.
    mutating func skip(_ screen: Int, for call: CallID) {
        offers[call, default: Offer()].asked.insert(screen)
    }

    /// What a screen has not answered yet.
    func question(about call: CallID, to screen: Int) -> Question? {
        guard let offer = offers[call] else { return nil }
        return offer.place(of: screen).map { offer.questions[$0] }
    }

    private mutating func takeQuestion(about call: CallID, to screen: Int) -> Question? {
        guard let place = offers[call]?.place(of: screen) else { return nil }
        return offers[call]?.questions.remove(at: place)
    }

    // MARK: - Answers

    /// It answers, be it too late.
    mutating func hear(_ screen: Int) {
        silent.remove(screen)
    }

    /// The call is the screen's from now on.
    /// - Returns: who else was asked.
    mutating func accept(_ call: CallID, by screen: Int) -> [Holding] {
        guard takeQuestion(about: call, to: screen) != nil else { return [] }
        let others = holdings(of: call)
        offers[call]?.questions = []
        offers[call]?.presenter = screen
        return others
    }

    /// - Parameter now: one no after the other may not take longer than one silence.
    mutating func decline(_ call: CallID, by screen: Int, at now: MonotonicTime) {
        guard takeQuestion(about: call, to: screen) != nil else { return }
        if let start = offers[call]?.firstAskedAt,
            now >= start.advanced(milliseconds: MethodTable.presentMS)
        {
            offers[call]?.isForAll = true
        }
    }

    /// It has not answered in time.
    mutating func miss(_ call: CallID, by screen: Int) -> Holding? {
        guard let question = takeQuestion(about: call, to: screen) else { return nil }
        silent.insert(screen)
        offers[call]?.isForAll = true
        return Holding(call: call, screen: screen, question: question)
    }

    /// The call is over.
    /// - Returns: whose it was.
    mutating func remove(_ call: CallID) -> [Holding] {
        defer { offers[call] = nil }
        return holdings(of: call)
    }

    private func holdings(of call: CallID) -> [Holding] {
        guard let offer = offers[call] else { return [] }
        if let screen = offer.presenter {
            return [Holding(call: call, screen: screen, question: nil)]
        }
        return offer.questions.map { Holding(call: call, screen: $0.screen, question: $0) }
    }
}
