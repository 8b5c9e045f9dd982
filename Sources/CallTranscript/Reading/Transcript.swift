public import CallArbitration
public import CallModel

/// A readable text of the events of an arbiter and of its decisions, used in tests, bug reports and
/// exports of the journal.
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
/// **Lines.** The first character states the kind of line: `#` a comment, the first of which is the
/// story; `##` the title of a section; `>` an event with its time; `<` an effect; `=` the visible
/// state of a call or of the host afterwards. The word for the kind follows, then the members. A
/// recording begins with `*` and the arbiter at that time in its stored form, in hex.
///
/// **Members** are `name=value`, separated by spaces, in any order. The names are those of the
/// wire. A member with its default value is omitted. An unknown, missing or repeated member is an
/// error. A discriminator is a member like any other: `kind=set_held held=true`.
///
/// **Values** are
/// - a word of letters, digits and `_.+:/-`, or a JSON string if the text is not such a word, or is
///   `null`;
/// - a list `[1,2]`, or a record `(origin=user rule=5a)`;
/// - `null` for a property that is cleared: `display_name=null`. An unchanged one is omitted;
/// - a pair that names one thing, joined by a colon: a handle `phone:+15550100`, a timer `ring:1`,
///   a call with its provider `1:org.example.a`, a limit `held_groups:4`, a requester
///   `app:org.example.a`.
///
/// **Times** are milliseconds, with a fraction if needed: `1500.000250`.
///
/// **Ids** are numbers if their upper half is zero (tests use 1, 2, 3), `b3` for the third id that
/// the broker creates, and otherwise the 36 characters of a UUID.
///
/// **For authors.** An event of a transcript for replay may be shorter than one of a journal.
/// Without a time it occurs at the same time as the previous event, with `@+500` half a second
/// later. Without a token it gets the next one. An action may be named by its effect on a call:
/// `action=hold:1` is the newest action to hold call 1 that was sent, or else the newest that is
/// queued. The words are `start`, `answer`, `end`, `hold`, `resume`, `mute`, `unmute`, `group`,
/// `dtmf` and those of the wire. The provider may then be omitted. A transaction is named by one of
/// its actions in the same way, and a timer as `action:hold:1`.
public struct Transcript: Hashable, Sendable {
    /// The story, which is the first comment.
    public var story: String
    /// The sections, in order.
    public var sections: [Section]

    /// Creates a transcript.
    public init(story: String, sections: [Section] = []) {
        self.story = story
        self.sections = sections
    }

    /// A part of a transcript that is played on an arbiter of its own.
    public struct Section: Hashable, Sendable {
        /// The title of the section whose events precede those of every other section.
        public static let setup = "setup"

        /// The title; nil for the lines before the first title.
        public var title: String?
        /// The lines, in order.
        public var lines: [Line]

        /// Creates a section.
        public init(title: String?, lines: [Line] = []) {
            self.title = title
            self.lines = lines
        }
    }

    /// A line of a section.
    public enum Line: Hashable, Sendable {
        /// The stored form of the arbiter that processes the events after it.
        case state([UInt8])
        /// An event.
        case event(EventLine)
        /// An effect.
        case effect(ArbiterEffect)
        /// The state of a call.
        case call(CallView)
        /// The state of the host.
        case host(HostState)
        /// A comment, without its mark.
        case comment(String)
        /// An empty line.
        case blank
    }

    /// An event as its author wrote it; its meaning may depend on earlier lines.
    public struct EventLine: Hashable, Sendable {
        /// The line with its mark and without its newline.
        public let text: String
        /// The number of the line, for errors; 0 if it was not read from a file.
        public let number: Int

        /// Creates a line from its text.
        public init(text: String, number: Int = 0) {
            self.text = text
            self.number = number
        }

        /// Creates the line that a journal's export has for an event.
        public init(_ event: ArbiterEvent, at now: Instant, lineage: UInt64 = 1) {
            var writer = TranscriptWriter(lineage: lineage)
            writer.write(event, at: now)
            self.init(text: String(writer.text.dropLast()))
        }

        /// Compares the texts only: the number does not matter.
        public static func == (left: EventLine, right: EventLine) -> Bool {
            left.text == right.text
        }

        /// Hashes the text only.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(text)
        }
    }
}
