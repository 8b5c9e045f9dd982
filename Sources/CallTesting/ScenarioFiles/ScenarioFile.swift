package import CallTranscript

/// A scenario that somebody wrote down, as far as it can be understood without playing it.
///
/// ```
/// # The second call is answered: the first one is held for it.
/// provider desk
/// provider mobile answers=(answer=after:2s)
///
/// > desk call.report_incoming call=1 remote=phone:+15550101
/// > user call.answer call=1
/// > @+30s mobile call.report_incoming call=2 remote=phone:+15550102
/// > user call.answer call=2
/// < desk provider.perform kind=set_held call=1 held=true
/// < @+2s user call.changed call=2 state=active
/// = call call=1 state=held held_because_of=2
/// ```
///
/// **Lines** have the marks of the stories that a ``Transcript`` tells: `#` a comment, of which the first
/// says what it is about; `##` the title of a section; `>` what somebody does; `<` what somebody gets;
/// `=` what can be seen afterwards. There are two more: `!` what somebody does not get, and `$` a
/// command for the shell. `provider`, `program`, `controller`, `observer`, `screen`, `screener` and
/// `directory` say who is there.
///
/// **Members** and **values** are written as there. The names are those of the wire, and what they may
/// be is in the method table: what does not fit is an error of the file.
///
/// **Sections** are played each by itself, after the lines before the first title.
package struct ScenarioFile: Sendable {
    /// One section: everything that is played on one broker.
    package struct Section: Sendable {
        package let title: String
        /// Where it begins.
        package let line: Int
        package fileprivate(set) var lines: [Line]
    }

    package struct Line: Sendable {
        package let number: Int
        package let text: String
        let step: Step
    }

    /// What a line says. Times are milliseconds from the beginning.
    enum Step: Sendable {
        case provider(name: String, ProviderDescription)
        case program(name: String, ProgramDescription)
        case controller(name: String)
        case scripted(name: String, ScriptedPeer.Description)
        /// Somebody does something, or only time passes.
        case act(at: Int?, Act?)
        case shell(String)
        case expect(at: Int?, Expectation)
        case state(State)
    }

    typealias Answers = [String: FakeProvider.Answer]

    enum Act: Sendable {
        case request(who: String, method: String, params: ScenarioPattern)
        case answers(who: String, Answers)
        case scriptedAnswer(who: String, ScriptedPeer.Answer)
        /// What it was asked about a call, or last, and has left open.
        case replies(who: String, call: ScenarioPattern, ScriptedPeer.Answer)
        /// What it has left open: done after all, or failed.
        case settles(who: String, kind: String, call: ScenarioPattern, FakeProvider.Answer)
        case disconnects(who: String)
        case reconnects(who: String, calls: ScenarioPattern)
        case dies(who: String)
        case starts(who: String)
        case brokerRestarts
    }

    struct Expectation: Sendable {
        let who: String
        let what: What
        let members: ScenarioPattern
        /// It must not come.
        let isForbidden: Bool
        /// It comes after what the line above expects, whoever got that.
        let isNext: Bool
        let words: String
    }

    enum What: Sendable {
        /// The reply to the latest request of theirs.
        case result, error
        case event(String)
        /// A request or a notification.
        case method(String)
    }

    enum State: Sendable {
        case call(ScenarioPattern, words: String)
        case gone(ScenarioPattern, words: String)
        case host(ScenarioPattern, words: String)
    }

    struct ProviderDescription: Sendable {
        let identity: String
        /// What it registers with.
        let registration: ScenarioPattern
        var answers: Answers = [:]
        /// What it hears of.
        var topics: [String] = []
    }

    struct ProgramDescription: Sendable {
        var manifest: String?
        var arguments: [String] = []
        var transport: ProviderProgram.Transport?
        var environment: [String: String] = [:]
    }

    /// The first comment, without its mark.
    package private(set) var story = ""
    package private(set) var sections: [Section] = []

    /// Why it is none: every line that cannot be read.
    package struct Unreadable: Error {
        package let faults: [TranscriptError]
    }

    private static let faultsMax = 20

    package init(_ bytes: [UInt8]) throws(Unreadable) {
        var reader = ScenarioReader()
        var beginning: [Line] = []
        var afterBeginning = reader
        var faults: [TranscriptError] = []
        var isSetup = true
        for (index, bytes) in Self.lines(of: bytes).enumerated() {
            do throws(TranscriptError) {
                switch try reader.read(bytes, number: index + 1) {
                case .nothing: break
                case .comment(let text): if story.isEmpty { story = text }
                case .title(let title):
                    if isSetup { afterBeginning = reader }
                    isSetup = title == Transcript.Section.setup && sections.isEmpty && isSetup
                    guard !isSetup else { continue }
                    reader = afterBeginning
                    sections.append(Section(title: title, line: index + 1, lines: beginning))
                case .line(let line):
                    if isSetup {
                        beginning.append(line)
                    } else {
                        sections[sections.count - 1].lines.append(line)
                    }
                }
            } catch {
                faults.append(error)
                if faults.count == Self.faultsMax { break }
            }
        }
        guard faults.isEmpty else { throw Unreadable(faults: faults) }
        if sections.isEmpty {
            sections = [Section(title: story, line: 1, lines: beginning)]
        }
    }

    /// A line may end with CR LF.
    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            var line = Array(line)
            while let last = line.last, [0x20, 0x0D, 0x09].contains(last) { line.removeLast() }
            return line
        }
    }
}
