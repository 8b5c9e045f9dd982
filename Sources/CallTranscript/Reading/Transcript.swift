public import CallArbitration
public import CallModel

/// What happened to an arbiter and what it decided, as text that people read: the form of tests, of
/// bug reports and of the journal.
///
/// ```
/// # A second call is answered: the first is held for it.
/// ## setup
/// > @0 provider_registered token=1 provider=org.example.a display_name=a handle_types=[phone]
///
/// ## the hold fails
/// > @1500 call_reported token=4 provider=org.example.a call=1 news=connected
/// < perform action=b3 provider=org.example.a call=1 kind=set_held held=true transaction=b2 …
/// = call call=1 provider=org.example.a direction=incoming state=active group=1 created_at_ms=0 …
/// = host live_group=1 audio_group=1
/// ```
///
/// **Lines.** The first character says what a line is: `#` a comment, of which the first tells the
/// story; `##` the title of a section; `>` an event with its time; `<` an effect; `=` what can be
/// seen afterwards, of a call or of the host. Then come the word for its kind and its members. A
/// recording begins with `*` and the arbiter as it was then, in its stored form, in hex.
///
/// **Members** are `name=value`, separated by spaces, in any order. The names are those of the wire.
/// A member that has its default value is left out. One that is unknown, missing or there twice is
/// an error. A discriminator is a member like any other: `kind=set_held held=true`.
///
/// **Values** are
/// - a word of letters, digits and `_.+:/-`, or a JSON string if it is not such a word, or if it is
///   the word `null`;
/// - a list `[1,2]`, or a record `(origin=user rule=5a)`;
/// - `null`, where a property is cleared: `display_name=null`. One that stays as it was is left out;
/// - two things that name one, joined by a colon: a handle `phone:+15550100`, a timer `ring:1`, a
///   call with its provider `1:org.example.a`, a limit `held_groups:4`, who asks `app:org.example.a`.
///
/// **Times** are milliseconds, with a fraction where they have one: `1500.000250`.
///
/// **Ids** are numbers if their upper half is zero (tests use 1, 2, 3), `b3` for number 3 of those
/// that the broker makes, and else the 36 characters of a UUID.
///
/// **For authors.** An event of a transcript that is to be played may say less than one of a
/// journal. Without a time it comes together with the one before, with `@+500` half a second after
/// it. Without a token it gets the next. An action may be named by what it does to which call:
/// `action=hold:1` is the newest that was sent, or else waits, to hold call 1. The words are `start`,
/// `answer`, `end`, `hold`, `resume`, `mute`, `unmute`, `group`, `dtmf` and those of the wire. Its
/// provider may be left out then. A transaction is named by one of its actions in the same way, and
/// a timer as `action:hold:1`.
public struct Transcript: Hashable, Sendable {
    /// The first line, without its mark.
    public var story: String
    public var sections: [Section]

    public init(story: String, sections: [Section] = []) {
        self.story = story
        self.sections = sections
    }

    /// Lines that are played on an arbiter of their own.
    public struct Section: Hashable, Sendable {
        /// The title of the section whose events come before those of every other section.
        public static let setup = "setup"

        /// Nil for what stands before the first title.
        public var title: String?
        public var lines: [Line]

        public init(title: String?, lines: [Line] = []) {
            self.title = title
            self.lines = lines
        }
    }

    public enum Line: Hashable, Sendable {
        /// The arbiter, as it is stored: what comes behind happens to it.
        case state([UInt8])
        case event(EventLine)
        case effect(ArbiterEffect)
        case call(CallView)
        case host(HostState)
        case comment(String)
        case blank
    }

    /// An event as its author wrote it: what it means may depend on what came before.
    public struct EventLine: Hashable, Sendable {
        /// The line with its mark, without its newline.
        public let text: String
        /// Where it stood, for errors.
        public let number: Int

        public init(text: String, number: Int = 0) {
            self.text = text
            self.number = number
        }

        /// The line as a journal would write it.
        public init(_ event: ArbiterEvent, at now: Instant, lineage: UInt64 = 1) {
            var writer = TranscriptWriter(lineage: lineage)
            writer.write(event, at: now)
            self.init(text: String(writer.text.dropLast()))
        }

        /// The same text is the same line, wherever it stands.
        public static func == (left: EventLine, right: EventLine) -> Bool {
            left.text == right.text
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(text)
        }
    }
}
