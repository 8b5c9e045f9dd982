internal import BrokerJSON
internal import CallProtocol

/// Calls over time, as a picture shows them. Times are milliseconds of the broker's clock.
struct TimelineScene {
    /// A period in which a call had a state, was muted, or had microphone and speaker.
    struct Span {
        /// A state, `muted` or `audio`.
        let kind: String
        let fromMS: Int64
        var toMS: Int64
    }

    /// An attempt of an action, from its dispatch to its result.
    struct Action: Equatable {
        let kind: String
        /// The result; `dispatched` while there is none.
        var state: String
        let fromMS: Int64
        var toMS: Int64
    }

    /// A decision of a rule.
    struct Decision {
        let rule: String
        let word: String
        let atMS: Int64
    }

    /// A relation with another call that begins at a time.
    struct Link {
        enum Kind: String {
            /// The call is held for the other one.
            case held
            /// The call joins the group that is named for the other one.
            case joined
        }

        let kind: Kind
        let other: String
        let atMS: Int64
    }

    struct Call {
        let call: String
        let provider: String
        let direction: String
        var spans: [Span] = []
        var actions: [Action] = []
        var decisions: [Decision] = []
        var links: [Link] = []
        /// The reason of the end; nil while the call has not ended, empty if it is not known.
        var endReason: String?
        var fromMS: Int64
        var toMS: Int64

        /// The times at which something happens.
        var moments: [Int64] {
            [fromMS, toMS] + spans.flatMap { [$0.fromMS, $0.toMS] }
                + actions.flatMap { [$0.fromMS, $0.toMS] } + decisions.map(\.atMS)
                + links.map(\.atMS)
        }
    }

    /// The calls, in the order of their beginnings.
    let calls: [Call]

    /// The short names of the calls by their ids: beginnings, with the ends where these are needed.
    private let names: [String: String]

    init(_ calls: [Call]) {
        self.calls = calls.sorted { ($0.fromMS, $0.call) < ($1.fromMS, $1.call) }
        let ids = Set(calls.map(\.call) + calls.flatMap { $0.links.map(\.other) })
        let areUnique = Set(ids.map { $0.prefix(8) }).count == ids.count
        names = Dictionary(uniqueKeysWithValues: ids.map { ($0, Self.name($0, areUnique)) })
    }

    private static func name(_ id: String, _ isUnique: Bool) -> String {
        let text = id.printable
        return isUnique ? String(text.prefix(8)) : "\(text.prefix(4))…\(text.suffix(4))"
    }

    func name(of call: String) -> String {
        names[call] ?? String(call.printable.prefix(8))
    }

    var fromMS: Int64 { calls.map(\.fromMS).min() ?? 0 }
    var toMS: Int64 { calls.map(\.toMS).max() ?? 0 }

    /// The calls that a picture of one call has to have: those that it names.
    static func others(of call: Call) -> [String] {
        var seen: Set = [call.call]
        return call.links.map(\.other).filter { seen.insert($0).inserted }
    }
}

// The document, for programs that draw the picture themselves.
extension TimelineScene {
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("from_ms", fromMS)
            writer.member("to_ms", toMS)
            writer.list("calls", calls) { $0.write(to: &$1) }
        }
        return writer.bytes
    }
}

extension TimelineScene.Call {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("call", call)
        writer.member("provider", provider)
        writer.member("direction", direction)
        writer.period(fromMS, toMS)
        writer.member("end_reason", ifSet: endReason)
        writer.list("spans", spans) { span, writer in
            writer.member("kind", span.kind)
            writer.period(span.fromMS, span.toMS)
        }
        writer.list("actions", actions) { action, writer in
            writer.member("kind", action.kind)
            writer.member("state", action.state)
            writer.period(action.fromMS, action.toMS)
        }
        writer.list("decisions", decisions) { decision, writer in
            writer.member("rule", decision.rule)
            writer.member("decision", decision.word)
            writer.member("at_ms", decision.atMS)
        }
        writer.list("links", links) { link, writer in
            writer.member("kind", link.kind.rawValue)
            writer.member("call", link.other)
            writer.member("at_ms", link.atMS)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func period(_ fromMS: Int64, _ toMS: Int64) {
        member("from_ms", fromMS)
        member("to_ms", toMS)
    }

    fileprivate mutating func list<Item>(
        _ name: StaticString, _ items: [Item], _ members: (Item, inout JSONWriter) -> Void
    ) {
        self.name(name)
        array { writer in
            for item in items { writer.object { members(item, &$0) } }
        }
    }
}
