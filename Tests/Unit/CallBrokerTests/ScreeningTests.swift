import BrokerSocket
import CallArbitration
import CallModel
import Testing

@testable import CallBroker

/// Rule 32, from the answers alone: in which order they count.
struct ScreeningTests {
    private static let screener = Screening.Source.screener("guard")
    private static let other = Screening.Source.directory("numbers")

    private static func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime.zero.advanced(milliseconds: milliseconds)
    }

    private static func screening(_ answers: Screening.Response...) -> Screening {
        var screening = Screening()
        for (number, answer) in answers.enumerated() {
            screening.ask(.screener("\(number)"), until: time(1_500))
            screening.apply(answer, of: .screener("\(number)"))
        }
        return screening
    }

    private static func expire(_ screening: inout Screening, atMS milliseconds: Int) {
        for source in screening.late(at: time(milliseconds)) { screening.abandon(source, .late) }
    }

    private static func verdict(
        _ answers: Screening.Response..., isQuiet: Bool = false, silencesUnknown: Bool = false
    ) -> ScreeningVerdict {
        var screening = Screening()
        for answer in answers { screening.apply(answer, of: .store) }
        return screening.verdict(isQuiet: isQuiet, silencesUnknown: silencesUnknown)
    }

    private static let blocks = Screening.Response(verdict: .block(.screener, by: "s"))
    private static let allows = Screening.Response(verdict: .allow)
    private static let silences = Screening.Response(verdict: .silence(by: "quiet"))
    private static let knows = Screening.Response(isKnown: true)

    @Test func `nobody has anything to say: it rings`() {
        #expect(Self.verdict() == .ring)
    }

    @Test func `a block wins over everything`() {
        #expect(
            Self.verdict(Self.allows, Self.silences, Self.blocks, isQuiet: true)
                == .block(.screener, by: "s"))
    }

    @Test func `the first of two blocks is named`() {
        let list = Screening.Response(verdict: .block(.blockList, by: "block_list"))
        #expect(Self.verdict(list, Self.blocks) == .block(.blockList, by: "block_list"))
    }

    @Test func `who is allowed rings despite do-not-disturb, and aloud`() {
        #expect(Self.verdict(Self.silences, Self.allows, isQuiet: true) == .allow)
    }

    @Test func `do-not-disturb wins over silence`() {
        #expect(Self.verdict(Self.silences, isQuiet: true) == .doNotDisturb)
    }

    @Test func `who is silenced rings without sound`() {
        #expect(Self.verdict(Self.silences) == .silence(by: "quiet"))
    }

    @Test func `a stranger may be silenced, a contact is not`() {
        #expect(Self.verdict(silencesUnknown: true) == .silence(by: "unknown_callers"))
        #expect(Self.verdict(Self.knows, silencesUnknown: true) == .ring)
    }

    @Test func `who is late has nothing to say, and that is noted`() {
        var screening = Screening()
        screening.ask(Self.screener, until: Self.time(700))
        screening.ask(Self.other, until: Self.time(1_500))
        #expect(screening.nextDeadline == Self.time(700))
        Self.expire(&screening, atMS: 700)
        #expect(screening.nextDeadline == Self.time(1_500))
        #expect(!screening.awaits(Self.screener))
        screening.apply(Screening.Response(), of: Self.other)
        #expect(screening.nextDeadline == nil)
        #expect(screening.verdict(isQuiet: false, silencesUnknown: false) == .timedOut)
    }

    @Test func `who fails counts as late`() {
        var screening = Screening()
        screening.ask(Self.screener, until: Self.time(1_500))
        screening.abandon(Self.screener, .failed)
        screening.abandon(Self.other, .failed)
        #expect(screening.nextDeadline == nil)
        #expect(screening.verdict(isQuiet: false, silencesUnknown: false) == .timedOut)
    }

    @Test func `who must not be silent has blocked the call when it is late, fails or goes away`() {
        let block = Screening.Response.Verdict.block(.screener, by: "guard")
        var late = Screening()
        late.ask(Self.other, until: Self.time(700))
        late.ask(Self.screener, until: Self.time(700), otherwise: block)
        Self.expire(&late, atMS: 700)
        var failed = Screening()
        failed.ask(Self.screener, until: Self.time(700), otherwise: block)
        failed.abandon(Self.screener, .failed)
        var inTime = Screening()
        inTime.ask(Self.screener, until: Self.time(700), otherwise: block)
        inTime.apply(Screening.Response(), of: Self.screener)
        let verdicts = [late, failed, inTime].map {
            $0.verdict(isQuiet: false, silencesUnknown: false)
        }
        #expect(
            verdicts == [.block(.screener, by: "guard"), .block(.screener, by: "guard"), .ring])
    }

    @Test func `who gave no word is named, with what that means`() {
        let block = Screening.Response.Verdict.block(.screener, by: "guard")
        var closed = Screening()
        closed.ask(Self.screener, until: Self.time(700), otherwise: block)
        closed.abandon(Self.screener, .disabled)
        let text = closed.explanation(of: .block(.screener, by: "guard"))?.text ?? ""
        #expect(
            text.hasPrefix(
                "guard gave no verdict: it is disabled; its manifest requires its verdict"))
        var open = Screening()
        open.ask(Self.screener, until: Self.time(700))
        open.abandon(Self.screener, .late)
        let passed = open.explanation(of: .timedOut)
        #expect(passed?.by == "broker")
        #expect(passed?.text.hasPrefix("guard gave no verdict: it did not answer in time") == true)
    }

    @Test func `what all know of a caller is kept apart`() {
        let company = Caller(label: "Company", source: "a")
        let ada = Caller(name: "Ada", source: "b")
        let screening = Self.screening(
            Screening.Response(callers: [company]), Screening.Response(callers: [ada]))
        #expect(screening.callers == [company, ada])
    }
}
