import CallArbitration
import CallModel
import CallProtocol
import Testing

/// The words in the schemas are those of the model and of the arbiter, no more and no fewer.
struct SchemaWordsTests {
    private static let table = MethodTable.withTestMethods

    /// A member, by its place: names of members, with `*` for what an array holds.
    struct Place: Sendable, CustomTestStringConvertible {
        let method: MethodName
        let isResult: Bool
        let path: [String]
        let words: [String]

        var testDescription: String {
            "\(method.rawValue) \(isResult ? "result" : "params") \(path.joined(separator: "."))"
        }
    }

    private static func words<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type
    ) -> [String] {
        type.allCases.map(\.rawValue)
    }

    private static func params(
        _ method: MethodName, _ path: String..., are words: [String]
    ) -> Place {
        Place(method: method, isResult: false, path: path, words: words)
    }

    private static func result(
        _ method: MethodName, _ path: String..., are words: [String]
    ) -> Place {
        Place(method: method, isResult: true, path: path, words: words)
    }

    private static let handleKinds = [Handle.Kind.phone, .email, .generic].map(\.name)

    static let calls = [
        result(.getCall, "state", are: words(CallState.self)),
        result(.getCall, "direction", are: words(Direction.self)),
        result(.getCall, "pending_action", are: words(PendingAction.self)),
        result(.getCall, "priority", are: words(Priority.self)),
        result(.getCall, "allowed", "*", are: words(Verb.self)),
        result(.getCall, "end_reason", are: words(EndReason.self)),
        result(.getCall, "end_cause", "origin", are: words(Origin.self)),
        result(.getCall, "missed_reasons", "*", are: MissedReasons(rawValue: .max).names),
        result(.getCall, "remote", "type", are: handleKinds),
        result(.listCalls, "calls", "*", "state", are: words(CallState.self)),
        params(.listCalls, "filter", "state", are: words(CallState.self)),
        params(.listCalls, "filter", "direction", are: words(Direction.self)),
    ]

    static let reports = [
        params(
            .reportEnded, "reason",
            are: EndReason.allCases.filter { $0.callKitNumber != nil }.map(\.rawValue)),
        params(.reportMissed, "reason", are: MissedReasons(rawValue: .max).names),
        params(
            .reportUpdate, "priority",
            are: ["background", "normal", "priority_caller", "emergency"]),
        params(.reportIncoming, "remote", "type", are: handleKinds),
        result(.reportIncoming, "state", are: [CallState.ringing, .waiting].map(\.rawValue)),
        params(.register, "handle_types", "*", are: handleKinds),
        params(
            .register, "calls", "*", "state",
            are: [CallState.ringing, .dialing, .alerting, .connecting, .active, .held, .external]
                .map(\.rawValue)),
    ]

    static let actions = [
        params(.request, "actions", "*", "kind", are: words(ActionKind.self)),
        params(.request, "actions", "*", "choice", are: words(AnswerChoice.self)),
        params(.answer, "choice", are: words(AnswerChoice.self)),
        params(.swap, "on_conflict", are: words(CallOptions.Conflict.self)),
        params(.swap, "wait", are: words(CallOptions.Wait.self)),
        params(.playDTMF, "style", are: words(DTMFStyle.self)),
        params(.pressButton, "press", are: words(ButtonPress.self)),
        params(.perform, "kind", are: words(ActionKind.self)),
        params(.reset, "reason", are: words(ResetReason.self)),
        params(.perform, "cause", "origin", are: words(Origin.self)),
        result(.request, "state", are: words(TransactionState.self)),
        result(.request, "actions", "*", "state", are: words(ActionState.self)),
    ]

    static let policy = [
        params(.setPolicy, "on_hold_failure", are: words(ArbitrationPolicy.OnHoldFailure.self)),
        params(.setPolicy, "on_cannot_hold", are: words(ArbitrationPolicy.OnCannotHold.self)),
        params(.setPolicy, "button_active", are: words(ArbitrationPolicy.ButtonActive.self)),
        result(
            .getPolicy, "policy", "on_hold_failure",
            are: words(ArbitrationPolicy.OnHoldFailure.self)),
    ]

    @Test(arguments: calls + reports + actions + policy)
    func `a choice has the words of its enum`(place: Place) throws {
        let method = try #require(Self.table.find(place.method.rawValue))
        var members = method.params
        if place.isResult, case .request(let result, _) = method.form { members = result }
        #expect(try Self.words(at: place.path, in: .object(members)) == place.words)
    }

    @Test func `the topics' choices have the words of the arbiter`() throws {
        for (topic, path, words) in [
            (.callChanged, ["changed", "*"], ChangedProperties(rawValue: .max).names),
            (.providerRemoved, ["reason"], Self.words(RemovalReason.self)),
            (.anomaly, ["anomaly"], Self.words(Anomaly.self)),
            (.actionFailed, ["state"], Self.words(ActionState.self)),
        ] as [(Topic, [String], [String])] {
            let row = try #require(TopicTable.rows.first { $0.topic == topic })
            #expect(try Self.words(at: path, in: .object(row.data)) == words)
        }
    }

    @Test func `a deadline can be set for each kind of action`() throws {
        let register = try #require(Self.table.find("provider.register"))
        let member = register.params.first { "\($0.name)" == "action_deadlines" }
        guard case .object(let kinds) = try #require(member).schema else {
            Issue.record("no object")
            return
        }
        #expect(kinds.map { "\($0.name)" } == Self.words(ActionKind.self))
    }

    @Test(arguments: ActionKind.allCases)
    func `the method of a kind takes its arguments flat`(kind: ActionKind) throws {
        let method = try #require(Self.table.find("call.\(kind.rawValue)"))
        let names = Set(method.params.map { "\($0.name)" })
        #expect(names.isSuperset(of: ActionSchemas.arguments(of: kind).map { "\($0.name)" }))
    }

    @Test func `whatever asks for actions takes the same options`() throws {
        let asking: [MethodName] = [
            .request, .start, .answer, .pull, .end, .setHeld, .setMuted, .setGroup, .playDTMF,
            .dial,
            .setEndpoint, .setVideo, .setText, .transfer, .attendedTransfer, .deflect, .swap,
            .merge, .split,
        ]
        let options: Set = ["transaction", "deadline_ms", "dry_run", "on_conflict", "wait"]
        for method in Self.table.methods {
            let names = Set(method.params.map { "\($0.name)" })
            #expect(
                names.isSuperset(of: options) == asking.contains(method.name),
                "\(method.name.rawValue)")
        }
    }

    private static func words(at path: [String], in schema: Schema) throws -> [String] {
        switch schema {
        case .object(let members):
            let name = try #require(path.first)
            let member = try #require(members.first { "\($0.name)" == name }, "\(name)")
            return try words(at: Array(path.dropFirst()), in: member.schema)
        case .array(let element, _):
            #expect(path.first == "*")
            return try words(at: Array(path.dropFirst()), in: element)
        case .nullable(let schema): return try words(at: path, in: schema)
        case .choice(let words, _): return words
        default:
            Issue.record("no choice at \(path)")
            return []
        }
    }
}
