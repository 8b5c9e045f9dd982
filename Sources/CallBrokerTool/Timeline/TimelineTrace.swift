internal import BrokerJSON
internal import CallProtocol

/// A time line as a trace of OpenTelemetry, in the JSON encoding of OTLP 1: ids in hexadecimal
/// digits, times and other integers of 64 bits as decimal strings, enumerations as numbers. The id
/// of the trace is that of the call. Numbers, names and texts of apps are left out.
struct TimelineTrace {
    /// A part of the call with a beginning and an end.
    private struct Span {
        let id: UInt64
        let name: String
        let kind: Kind
        let startMS: Int64
        var endMS: Int64
        var attributes: [Attribute]
        /// The reason of a failure.
        var error: String?
    }

    fileprivate typealias Attribute = (name: StaticString, value: Value)

    fileprivate enum Value {
        case text(String)
        case number(Int64)
    }

    /// Numbers of `SpanKind`.
    private enum Kind: Int {
        case `internal` = 1
        case client = 3
    }

    /// The number of `STATUS_CODE_ERROR`.
    private static let errorStatus = 2

    private let trace: String
    private let root: UInt64
    private var spans: [Span] = []
    private var events: [JSONValue] = []

    /// - Parameter timeline: The result of `call.timeline`.
    init(_ timeline: JSONValue) {
        let digits = (timeline["call"]?.string ?? "").filter { $0 != "-" }.lowercased()
        // An id of zeros would be invalid.
        trace = digits.allSatisfy { $0 == "0" } ? String(repeating: "0", count: 31) + "1" : digits
        root = max(1, UInt64(trace.suffix(16), radix: 16) ?? 1)
        let entries = timeline["entries"].map { Array($0.elements) } ?? []
        let endMS = entries.last.map(Self.time) ?? 0
        let call = Span(
            id: root, name: "call", kind: .internal, startMS: entries.first.map(Self.time) ?? 0,
            endMS: endMS,
            attributes: Self.texts(
                [
                    ("callbroker.call", "call"), ("callbroker.provider", "provider"),
                    ("callbroker.direction", "direction"),
                ], of: timeline))
        spans = [call]
        addStates(entries, endMS)
        addActions(entries, endMS)
        events = entries.filter { $0["event"]?.string != "action" }
        addEnd(entries)
    }

    private static func time(_ entry: JSONValue) -> Int64 {
        entry["at_ms"]?.integer ?? 0
    }

    /// Adds a span for each state that the call had.
    private mutating func addStates(_ entries: [JSONValue], _ endMS: Int64) {
        var open: Int?
        var state: String?
        for entry in entries {
            guard let next = entry["change"]?["state"]?.string, next != state else { continue }
            if let open { spans[open].endMS = Self.time(entry) }
            state = next
            open = nil
            guard next != "ended" else { continue }
            open = spans.count
            spans.append(
                Span(
                    id: root ^ UInt64(spans.count), name: "state \(next)", kind: .internal,
                    startMS: Self.time(entry), endMS: endMS, attributes: []))
        }
    }

    /// Adds a span for each attempt of an action, from its request to its result.
    private mutating func addActions(_ entries: [JSONValue], _ endMS: Int64) {
        var open: [String: Int] = [:]
        for entry in entries {
            guard let action = entry["action"], let id = action["action"]?.string else { continue }
            let state = action["state"]?.string ?? ""
            if state == "dispatched" {
                open[id] = spans.count
                spans.append(span(of: action, id, Self.time(entry), endMS))
            } else if let place = open.removeValue(forKey: id) {
                spans[place].endMS = Self.time(entry)
                spans[place].attributes.append(("callbroker.result", .text(state)))
                if state != "fulfilled" {
                    spans[place].error = action["failure"]?["reason"]?.string ?? state
                }
            }
        }
    }

    private func span(
        of action: JSONValue, _ id: String, _ startMS: Int64, _ endMS: Int64
    ) -> Span {
        let digits = id.filter { $0 != "-" }.suffix(16)
        let number = (UInt64(digits, radix: 16) ?? 0) &+ UInt64(spans.count)
        return Span(
            id: max(1, number), name: "action \(action["kind"]?.string ?? "")", kind: .client,
            startMS: startMS, endMS: endMS,
            attributes: Self.texts(
                [("callbroker.action", "action"), ("callbroker.transaction", "transaction")],
                of: action))
    }

    /// Adds the reason of the end to the call's own span.
    private mutating func addEnd(_ entries: [JSONValue]) {
        let reasons = entries.compactMap { $0["decision"]?["end_reason"]?.string }
        guard let reason = reasons.last else { return }
        spans[0].attributes.append(("callbroker.end_reason", .text(reason)))
        if reason == "failed" { spans[0].error = reason }
    }
}

// The document.
extension TimelineTrace {
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.only("resourceSpans") { writer in
                writer.name("resource")
                writer.object { $0.member(attributes: [("service.name", .text("callbroker"))]) }
                writer.only("scopeSpans") { writer in
                    writer.name("scope")
                    writer.object { writer in
                        writer.member("name", "callbroker" as StaticString)
                        writer.member("version", Release.version)
                    }
                    writer.name("spans")
                    writer.array { writer in for span in spans { write(span, to: &writer) } }
                }
            }
        }
        return writer.bytes
    }

    private func write(_ span: Span, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("traceId", trace)
            writer.member("spanId", Self.digits(span.id))
            if span.id != root { writer.member("parentSpanId", Self.digits(root)) }
            writer.member("name", span.name)
            writer.member("kind", span.kind.rawValue)
            writer.member("startTimeUnixNano", Self.nanoseconds(span.startMS))
            writer.member("endTimeUnixNano", Self.nanoseconds(span.endMS))
            writer.member(attributes: span.attributes)
            if span.id == root { write(events, to: &writer) }
            guard let error = span.error else { return }
            writer.name("status")
            writer.object { writer in
                writer.member("message", error)
                writer.member("code", Self.errorStatus)
            }
        }
    }

    private func write(_ events: [JSONValue], to writer: inout JSONWriter) {
        writer.name("events")
        writer.array { writer in
            for entry in events {
                writer.object { writer in
                    let event = entry["event"]?.string ?? ""
                    writer.member("timeUnixNano", Self.nanoseconds(Self.time(entry)))
                    writer.member("name", event)
                    writer.member(attributes: Self.attributes(entry[named: event]))
                }
            }
        }
    }

    /// The members of an event that are words; others may have texts of apps.
    private static let words: [(StaticString, String)] = [
        ("callbroker.rule", "rule"), ("callbroker.decision", "decision"),
        ("callbroker.reason", "reason"), ("callbroker.end_reason", "end_reason"),
        ("callbroker.filtered_by", "filtered_by"), ("callbroker.state", "state"),
        ("callbroker.anomaly", "anomaly"),
    ]

    private static let numbers: [(StaticString, String)] = [
        ("callbroker.loss_permille", "loss_permille"), ("callbroker.jitter_ms", "jitter_ms"),
        ("callbroker.round_trip_ms", "round_trip_ms"),
    ]

    private static func attributes(_ members: JSONValue?) -> [Attribute] {
        guard let members else { return [] }
        let numbers: [Attribute] = Self.numbers.compactMap { name, member in
            members[named: member]?.integer.map { (name, .number($0)) }
        }
        let active: [Attribute] =
            members["active"]?.boolean.map {
                [("callbroker.active", .text(String($0)))]
            } ?? []
        let origin = members["cause"].map { texts([("callbroker.origin", "origin")], of: $0) }
        return texts(words, of: members) + numbers + active + (origin ?? [])
    }

    private static func texts(
        _ names: [(StaticString, String)], of value: JSONValue
    ) -> [Attribute] {
        names.compactMap { name, member in
            value[named: member]?.string.map { (name, .text($0)) }
        }
    }

    private static func digits(_ id: UInt64) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func nanoseconds(_ milliseconds: Int64) -> String {
        String(max(0, milliseconds)) + "000000"
    }
}

extension JSONWriter {
    /// Writes an array with one object.
    fileprivate mutating func only(
        _ name: StaticString, _ members: (inout JSONWriter) -> Void
    ) {
        self.name(name)
        array { $0.object(members) }
    }

    fileprivate mutating func member(attributes: [TimelineTrace.Attribute]) {
        name("attributes")
        array { writer in
            for attribute in attributes {
                writer.object { writer in
                    writer.member("key", attribute.name)
                    writer.name("value")
                    writer.object { writer in
                        switch attribute.value {
                        case .text(let text): writer.member("stringValue", text)
                        case .number(let number): writer.member("intValue", String(number))
                        }
                    }
                }
            }
        }
    }
}
