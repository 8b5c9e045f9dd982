import BrokerSocket
import CallModel
import Testing

@testable import CallBroker

/// Who is asked to present a call, from claims and answers alone. Screens are small numbers here.
struct ScreensTests {
    private static let call = CallID(UUIDBits(high: 0, low: 1))
    private static let other = CallID(UUIDBits(high: 0, low: 2))

    /// Screens with their priorities, as they have claimed.
    private func screens(_ claims: (screen: Int, priority: Int)...) -> Screens {
        var screens = Screens()
        for claim in claims { screens.claim(claim.screen, priority: claim.priority, rings: false) }
        return screens
    }

    /// Asks whoever is next. The one who was asked.
    @discardableResult
    private func ask(
        _ screens: inout Screens, about call: CallID = Self.call, request: Int64 = 1,
        atMS milliseconds: Int = 0
    ) -> Int? {
        guard let screen = screens.next(for: call) else { return nil }
        var timers = TimerQueue<TimerPurpose>()
        let timer = timers.start(at: .zero, .presenting(call, screen: screen))
        screens.offer(
            call, Screens.PendingOffer(screen: screen, request: request, timer: timer),
            at: Self.at(milliseconds))
        return screen
    }

    /// Asks all who are to be asked now.
    private func askAll(_ screens: inout Screens, about call: CallID = Self.call) -> [Int] {
        var asked: [Int] = []
        while let screen = ask(&screens, about: call) { asked.append(screen) }
        return asked
    }

    private static func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime.zero.advanced(milliseconds: milliseconds)
    }

    /// Everybody who is asked declines. Who was asked, in order.
    private func declining(
        _ screens: inout Screens, about call: CallID = Self.call
    ) -> [Int] {
        var asked: [Int] = []
        while let screen = ask(&screens, about: call) {
            asked.append(screen)
            screens.decline(call, by: screen, at: .zero)
        }
        return asked
    }

    private func brief(_ assignments: [Screens.Assignment]) -> [String] {
        assignments.map { assignment in
            let offer = assignment.offer.map { " asked by \($0.request)" } ?? ""
            return
                "\(assignment.call == Self.call ? "call" : "other") of \(assignment.screen)\(offer)"
        }
    }

    // MARK: - Who

    @Test func `without claims nobody is asked`() {
        #expect(screens().holder == nil)
        #expect(screens().next(for: Self.call) == nil)
    }

    @Test func `the highest priority holds the screen, of equal ones the earliest`() {
        #expect(screens((1, 0), (2, 5), (3, 5), (4, -1)).claimants == [2, 3, 1, 4])
        #expect(screens((1, 0), (2, 5), (3, 5)).holder == 2)
    }

    @Test func `who claims again with the same priority keeps its place`() {
        #expect(screens((1, 0), (2, 0), (1, 0)).claimants == [1, 2])
    }

    @Test func `another priority is another place, behind those who have it already`() {
        #expect(screens((1, 0), (2, 0), (1, -1)).claimants == [2, 1])
        #expect(screens((1, 0), (2, 0), (2, 1)).claimants == [2, 1])
        #expect(screens((1, 1), (2, 0), (1, 0)).claimants == [2, 1])
    }

    @Test func `who releases has no claim any more`() {
        var screens = screens((1, 1), (2, 0))
        _ = screens.release(1)
        #expect(screens.claimants == [2])
        #expect(brief(screens.release(7)) == [])
    }

    // MARK: - One after the other

    @Test func `nobody else is asked while one is being asked, or presents`() {
        var screens = screens((1, 1), (2, 0))
        #expect(ask(&screens) == 1)
        #expect(screens.next(for: Self.call) == nil)
        #expect(brief(screens.accept(Self.call, by: 1)) == [])
        #expect(screens.next(for: Self.call) == nil)
        #expect(screens.next(for: Self.other) == 1)
    }

    @Test func `each is asked once, in the order of the claims`() {
        var screens = screens((1, 0), (2, 5), (3, 1))
        #expect(declining(&screens) == [2, 3, 1])
        #expect(declining(&screens) == [])
        #expect(declining(&screens, about: Self.other) == [2, 3, 1])
    }

    @Test func `who is passed over is not asked later either`() {
        var screens = screens((1, 1), (2, 0))
        screens.skip(1, for: Self.call)
        #expect(declining(&screens) == [2])
    }

    @Test func `a later claim is asked about what nobody presents, and nobody else is`() {
        var screens = screens((1, 0), (2, 0))
        _ = declining(&screens)
        screens.claim(3, priority: -5, rings: false)
        #expect(declining(&screens) == [3])
    }

    @Test func `who claims again is asked again`() {
        var screens = screens((1, 0), (2, 0))
        _ = declining(&screens)
        screens.claim(1, priority: 0, rings: false)
        #expect(declining(&screens) == [1])
    }

    @Test func `a higher claim takes nothing away`() {
        var screens = screens((1, 0))
        ask(&screens)
        _ = screens.accept(Self.call, by: 1)
        screens.claim(2, priority: 9, rings: false)
        #expect(screens.next(for: Self.call) == nil)
        #expect(screens.next(for: Self.other) == 2)
    }

    // MARK: - Letting go

    @Test func `what a screen presented goes to the others, to those who declined too`() {
        var screens = screens((1, 2), (2, 1), (3, 0))
        ask(&screens)
        screens.decline(Self.call, by: 1, at: .zero)
        ask(&screens)
        _ = screens.accept(Self.call, by: 2)
        #expect(brief(screens.release(2)) == ["call of 2"])
        #expect(declining(&screens) == [1, 3])
    }

    @Test func `what it was being asked about goes on to the next`() {
        var screens = screens((1, 2), (2, 1), (3, 0))
        ask(&screens)
        screens.decline(Self.call, by: 1, at: .zero)
        ask(&screens, request: 7)
        #expect(brief(screens.release(2)) == ["call of 2 asked by 7"])
        #expect(declining(&screens) == [3])
    }

    @Test func `it lets go of its own calls only, in the order of their ids`() {
        var screens = screens((1, 0))
        ask(&screens, about: Self.other)
        _ = screens.accept(Self.other, by: 1)
        ask(&screens, request: 2)
        screens.claim(2, priority: 1, rings: false)
        #expect(brief(screens.release(2)) == [])
        #expect(brief(screens.release(1)) == ["call of 1 asked by 2", "other of 1"])
    }

    @Test func `a connection that comes to a place is not the one that was there`() {
        var screens = screens((1, 0))
        _ = declining(&screens)
        _ = screens.release(1)
        screens.claim(1, priority: 0, rings: false)
        #expect(declining(&screens) == [1])
    }

    @Test func `a call that is over is nobody's`() {
        var screens = screens((1, 0))
        #expect(brief(screens.remove(Self.call)) == [])
        ask(&screens, request: 3)
        #expect(brief(screens.remove(Self.call)) == ["call of 1 asked by 3"])
        #expect(screens.pendingOffer(of: Self.call, to: 1) == nil)
        #expect(brief(screens.release(1)) == [])
    }

    @Test func `an answer that nobody waits for changes nothing`() {
        var screens = screens((1, 0))
        #expect(brief(screens.accept(Self.call, by: 1)) == [])
        screens.decline(Self.call, by: 1, at: .zero)
        #expect(screens.timeOut(Self.call, by: 1) == nil)
        #expect(ask(&screens) == 1)
    }

    // MARK: - Silence

    @Test func `after the first silence all the others are asked at once`() {
        var screens = screens((1, 2), (2, 1), (3, 0), (4, 0))
        #expect(askAll(&screens) == [1])
        #expect(screens.timeOut(Self.call, by: 1).map { brief([$0]) } == ["call of 1 asked by 1"])
        #expect(askAll(&screens) == [2, 3, 4])
        #expect(screens.timeOut(Self.call, by: 3) != nil)
        screens.decline(Self.call, by: 2, at: .zero)
        #expect(askAll(&screens) == [])
    }

    @Test func `the first yes has the call, and the others are named`() {
        var screens = screens((1, 2), (2, 1), (3, 0), (4, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        _ = askAll(&screens)
        screens.decline(Self.call, by: 2, at: .zero)
        #expect(brief(screens.accept(Self.call, by: 3)) == ["call of 4 asked by 1"])
        #expect(brief(screens.accept(Self.call, by: 4)) == [])
        #expect(screens.pendingOffer(of: Self.call, to: 4) == nil)
        #expect(brief(screens.release(3)) == ["call of 3"])
    }

    @Test func `noes that take their time together are one silence`() {
        var screens = screens((1, 3), (2, 2), (3, 1), (4, 0))
        ask(&screens)
        screens.decline(Self.call, by: 1, at: Self.at(1_999))
        #expect(askAll(&screens) == [2])
        screens.decline(Self.call, by: 2, at: Self.at(2_000))
        #expect(askAll(&screens) == [3, 4])
    }

    @Test func `a screen that claims while all are asked is asked as well, and nobody twice`() {
        var screens = screens((1, 1), (2, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        #expect(askAll(&screens) == [2])
        screens.claim(3, priority: 5, rings: false)
        screens.claim(2, priority: 0, rings: false)
        #expect(askAll(&screens) == [3])
    }

    @Test func `who is silent comes last, until it answers, be it too late`() {
        var screens = screens((1, 2), (2, 1), (3, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        #expect(screens.holder == 2)
        #expect(declining(&screens, about: Self.other) == [2, 3, 1])
        screens.markResponsive(1)
        #expect(screens.holder == 1)
    }

    @Test func `who answers too late is asked once more about that call`() {
        var screens = screens((1, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        #expect(askAll(&screens) == [])
        screens.answerLate(Self.other, by: 1)
        #expect(askAll(&screens) == [])
        screens.answerLate(Self.call, by: 1)
        #expect(askAll(&screens) == [1])
        _ = screens.timeOut(Self.call, by: 1)
        screens.answerLate(Self.call, by: 1)
        #expect(askAll(&screens) == [])
    }

    @Test func `of those that are all silent the first claim counts`() {
        var screens = screens((1, 2), (2, 1))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 2)
        #expect(screens.holder == 1)
    }

    @Test func `a call that is given back is offered one by one again`() {
        var screens = screens((1, 2), (2, 1), (3, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        _ = askAll(&screens)
        _ = screens.accept(Self.call, by: 3)
        _ = screens.release(3)
        #expect(askAll(&screens) == [2])
    }

    @Test func `a call that is over is taken from all that are asked`() {
        var screens = screens((1, 2), (2, 1), (3, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        _ = askAll(&screens)
        #expect(
            brief(screens.remove(Self.call)) == ["call of 2 asked by 1", "call of 3 asked by 1"])
    }

    @Test func `a connection that comes to a silent one's place is not silent`() {
        var screens = screens((1, 1), (2, 0))
        ask(&screens)
        _ = screens.timeOut(Self.call, by: 1)
        _ = screens.leave(1)
        screens.claim(1, priority: 1, rings: false)
        #expect(screens.holder == 1)
    }

    @Test func `seats are counted, each once`() {
        var screens = screens()
        for screen in [1, 2, 2] { screens.seat(screen) }
        #expect(screens.seats(besides: 3) == 2)
        #expect(screens.seats(besides: 2) == 1)
        _ = screens.leave(1)
        #expect(screens.seats(besides: 3) == 1)
    }

    // MARK: - Who rings

    @Test func `a screen with sound rings for what it presents, and for what it may take`() {
        var screens = Screens()
        #expect(!screens.ring(for: Self.call))
        screens.claim(1, priority: 1, rings: true)
        screens.claim(2, priority: 0, rings: false)
        #expect(screens.ring(for: Self.call))
        ask(&screens)
        #expect(screens.ring(for: Self.call))
        screens.decline(Self.call, by: 1, at: .zero)
        #expect(!screens.ring(for: Self.call))
        ask(&screens)
        _ = screens.accept(Self.call, by: 2)
        #expect(!screens.ring(for: Self.call) && screens.ring(for: Self.other))
        screens.claim(2, priority: 0, rings: true)
        #expect(screens.ring(for: Self.call))
        _ = screens.release(2)
        #expect(!screens.ring(for: Self.call))
    }
}
