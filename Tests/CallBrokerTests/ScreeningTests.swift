import BrokerSocket
import CallArbitration
import CallModel
import Testing

@testable import CallBroker

/// Rule 32, from the answers alone: in which order they count.
struct ScreeningTests {
    private static let screener = Screening.Source.plugin(1)
    private static let other = Screening.Source.plugin(2)

    private static func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime.zero.advanced(milliseconds: milliseconds)
    }

    private static func screening(_ answers: Screening.Answer...) -> Screening {
        var screening = Screening()
        for (number, answer) in answers.enumerated() {
            screening.ask(.plugin(number), until: time(1_500))
            screening.answer(.plugin(number), answer)
        }
        return screening
    }

    private static func verdict(
        _ answers: Screening.Answer..., isQuiet: Bool = false, silencesUnknown: Bool = false
    ) -> ScreeningVerdict {
        var screening = Screening()
        for answer in answers { screening.answer(.store, answer) }
        return screening.verdict(isQuiet: isQuiet, silencesUnknown: silencesUnknown)
    }

    private static let blocks = Screening.Answer(verdict: .block(.screener, by: "s"))
    private static let allows = Screening.Answer(verdict: .allow)
    private static let silences = Screening.Answer(verdict: .silence(by: "quiet"))
    private static let knows = Screening.Answer(isKnown: true)

    @Test func `nobody has anything to say: it rings`() {
        #expect(Self.verdict() == .ring)
    }

    @Test func `a block wins over everything`() {
        #expect(
            Self.verdict(Self.allows, Self.silences, Self.blocks, isQuiet: true)
                == .block(.screener, by: "s"))
    }

    @Test func `the first of two blocks is named`() {
        let list = Screening.Answer(verdict: .block(.blockList, by: "block_list"))
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
        screening.expire(at: Self.time(700))
        #expect(screening.nextDeadline == Self.time(1_500))
        #expect(!screening.awaits(Self.screener))
        screening.answer(Self.other, Screening.Answer())
        #expect(screening.nextDeadline == nil)
        #expect(screening.verdict(isQuiet: false, silencesUnknown: false) == .timedOut)
    }

    @Test func `who fails counts as late`() {
        var screening = Screening()
        screening.ask(Self.screener, until: Self.time(1_500))
        screening.giveUp(Self.screener)
        screening.giveUp(Self.other)
        #expect(screening.nextDeadline == nil)
        #expect(screening.verdict(isQuiet: false, silencesUnknown: false) == .timedOut)
    }

    @Test func `who must not be silent has blocked the call when it is late, fails or goes away`() {
        let block = Screening.Answer.Verdict.block(.screener, by: "guard")
        var late = Screening()
        late.ask(Self.other, until: Self.time(700))
        late.ask(Self.screener, until: Self.time(700), otherwise: block)
        late.expire(at: Self.time(700))
        var failed = Screening()
        failed.ask(Self.screener, until: Self.time(700), otherwise: block)
        failed.giveUp(Self.screener)
        var inTime = Screening()
        inTime.ask(Self.screener, until: Self.time(700), otherwise: block)
        inTime.answer(Self.screener, Screening.Answer())
        let verdicts = [late, failed, inTime].map {
            $0.verdict(isQuiet: false, silencesUnknown: false)
        }
        #expect(
            verdicts == [.block(.screener, by: "guard"), .block(.screener, by: "guard"), .ring])
    }

    @Test func `a contact goes before a directory, whoever answers first`() {
        let contact = Caller(name: "Ada", source: Caller.contacts)
        let company = Caller(name: "A. Lovelace", label: "Company", source: "numbers")
        let both = Caller(name: "Ada", label: "Company", source: Caller.contacts)
        for pair in [[contact, company], [company, contact]] {
            let screening = Self.screening(
                Screening.Answer(caller: pair[0]), Screening.Answer(caller: pair[1]))
            #expect(screening.caller == both)
        }
    }

    @Test func `of two directories the first one counts, but for what it does not say`() {
        let first = Caller(label: "Survey", source: "a")
        let second = Caller(name: "Example Ltd", label: "Company", source: "b")
        #expect(
            first.improved(by: second)
                == Caller(name: "Example Ltd", label: "Survey", source: "a"))
    }
}
