internal import BrokerSocket
internal import CallModel

/// Who wants to present calls, and which call is whose. Screens go by the slots of their connections.
///
/// A call is presented by one screen at a time, or by none. It is offered to the claims in their order,
/// to each at most once: who declined is asked again only if it claims again, or if the screen that
/// presented the call goes. So nothing is offered in circles, whatever the screens answer.
struct Screens {
    private struct Claim {
        let screen: Int
        let priority: Int
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
        enum State {
            /// Until it is offered, and once everybody has declined.
            case unclaimed
            /// Until the screen has answered, or its time is over.
            case asked(Question)
            /// Until the screen, or the call, is gone.
            case presented(by: Int)
        }

        var state = State.unclaimed
        /// Who need not be asked again.
        var asked: Set<Int> = []
    }

    /// The highest priority first, of two that are equal the earlier one.
    private var claims: [Claim] = []
    /// What has become of the calls that were offered.
    private var offers: [CallID: Offer] = [:]

    /// Who gets the next call.
    var holder: Int? {
        claims.first?.screen
    }

    var claimants: [Int] {
        claims.map(\.screen)
    }

    // MARK: - Who

    /// A screen that claims again keeps its place, unless it has another priority now; and it is asked
    /// again about what nobody presents.
    mutating func claim(_ screen: Int, priority: Int) {
        for call in offers.keys { offers[call]?.asked.remove(screen) }
        if let former = claims.firstIndex(where: { $0.screen == screen }) {
            guard claims[former].priority != priority else { return }
            claims.remove(at: former)
        }
        let place = claims.firstIndex { $0.priority < priority } ?? claims.endIndex
        claims.insert(Claim(screen: screen, priority: priority), at: place)
    }

    /// - Returns: the calls that were its own, which nobody presents now.
    mutating func release(_ screen: Int) -> [Holding] {
        claims.removeAll { $0.screen == screen }
        var released: [Holding] = []
        for call in offers.keys.sorted() {
            offers[call]?.asked.remove(screen)
            guard let holding = holding(of: call), holding.screen == screen else { continue }
            offers[call]?.state = .unclaimed
            // It had been taken care of, until now.
            if holding.question == nil { offers[call]?.asked = [] }
            released.append(holding)
        }
        return released
    }

    // MARK: - What

    /// Who is to be asked about a call; nil if it is somebody's, or everybody has been asked.
    func next(for call: CallID) -> Int? {
        guard let offer = offers[call] else { return holder }
        guard case .unclaimed = offer.state else { return nil }
        return claims.first { !offer.asked.contains($0.screen) }?.screen
    }

    mutating func ask(about call: CallID, _ question: Question) {
        offers[call, default: Offer()].asked.insert(question.screen)
        offers[call]?.state = .asked(question)
    }

    /// A screen is passed over.
    mutating func skip(_ screen: Int, for call: CallID) {
        offers[call, default: Offer()].asked.insert(screen)
    }

    /// What nobody has answered yet.
    func question(about call: CallID) -> Question? {
        if case .asked(let question) = offers[call]?.state { question } else { nil }
    }

    /// The screen that is being asked has answered, or it is not waited for any longer.
    mutating func settle(_ call: CallID, isPresented: Bool) {
        guard let question = question(about: call) else { return }
        offers[call]?.state = isPresented ? .presented(by: question.screen) : .unclaimed
    }

    /// The call is over.
    /// - Returns: whose it was.
    mutating func remove(_ call: CallID) -> Holding? {
        defer { offers[call] = nil }
        return holding(of: call)
    }

    private func holding(of call: CallID) -> Holding? {
        switch offers[call]?.state {
        case nil, .unclaimed: nil
        case .asked(let question):
            Holding(call: call, screen: question.screen, question: question)
        case .presented(let screen): Holding(call: call, screen: screen, question: nil)
        }
    }
}
