package import CallTranscript

/// A scenario file, read and checked without being played.
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
/// **Lines** have the marks of a ``Transcript``: `#` for a comment, the first of which states the
/// subject; `##` for the title of a section; `>` for an action of a participant; `<` for a frame
/// that a participant receives; `=` for the state afterwards. Two marks are added: `!` for a frame
/// that must not come, and `$` for a shell command. `provider`, `program`, `controller`,
/// `observer`, `screen`, `screener` and `directory` declare participants.
///
/// **Members** and **values** are written as in transcripts. Their names are those of the wire, and
/// the method table defines their types: a value that does not fit is an error of the file.
///
/// **Sections** are played independently, each after the lines before the first title.
package struct ScenarioFile: Sendable {
    /// A section: the lines that are played on one broker.
    package struct Section: Sendable {
        package let title: String
        /// The number of its first line.
        package let line: Int
        package fileprivate(set) var lines: [Line]
    }

    package struct Line: Sendable {
        package let number: Int
        package let text: String
        let step: Step
    }

    /// The meaning of a line. Times are milliseconds from the start.
    enum Step: Sendable {
        case provider(name: String, ProviderDescription)
        case program(name: String, ProgramDescription)
        case controller(name: String)
        case scripted(name: String, ScriptedPeer.Description)
        /// An action of a participant, or only the passing of time.
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
        /// A late reply to a request about a call, or to the latest one.
        case replies(who: String, call: ScenarioPattern, ScriptedPeer.Answer)
        /// A late outcome of an action.
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
        /// True if the frame must not come.
        let isForbidden: Bool
        /// True if the frame must follow the one that the line above expects, of any participant.
        let isNext: Bool
        let words: String
    }

    enum What: Sendable {
        /// The reply to the participant's latest request.
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
        /// The params of the provider's registration.
        let registration: ScenarioPattern
        var answers: Answers = [:]
        /// The topics that the provider subscribes to.
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

    /// The error of an invalid file, with all lines that cannot be read.
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

    /// Splits the text into lines, which may end with CR LF.
    private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            var line = Array(line)
            while let last = line.last, [0x20, 0x0D, 0x09].contains(last) { line.removeLast() }
            return line
        }
    }
}
