import BrokerJSON
import CallModel
import CallProtocol
import Testing

@testable import CallClient

/// An observer is sent what changes of its calls, and has whole calls.
@Suite(.timeLimit(.minutes(30))) struct ObserverChangesTests {
    private final class App: CallProviderDelegate {
        func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}
        func provider(
            _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
        ) async throws {}
    }

    @Test func `it has the same calls as a client that asks for them`() async throws {
        let host = try Host()
        let (app, id) = (App(), CallID.random())
        let user = try await CallController(host.options)
        let observer = try await CallObserver(host.options)
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
        var update = CallUpdate(from: .ann)
        update.displayName = .set("Ann")
        try await provider.reportIncoming(id, update)
        try await user.answer(id, nil, .completed)
        update.displayName = .cleared
        try await provider.reportUpdate(id, update)
        var names: [String] = []
        for await event in observer {
            guard case .changed(let call, let changed, _) = event else { continue }
            names += changed
            guard call.properties.displayName == nil else { continue }
            #expect(try await user.call(id) == call)
            break
        }
        #expect(names == ["pending_action", "state", "pending_action", "display_name"])
        provider.close()
    }

    // MARK: - The calls that are kept

    private static let id = "11111111-1111-4111-8111-111111111111"

    private static func read<Value>(_ text: String, _ body: (JSONValue) -> Value?) throws -> Value {
        let document = try JSONDocument(parsing: Array(text.utf8))
        let value = body(document.root)
        return try #require(value)
    }

    private func store(_ members: String, in calls: inout KeptCalls) throws -> CallID {
        let text =
            #"{"call":"\#(Self.id)","provider":"org.a","direction":"incoming","state":"ringing","#
            + #""rev":1,\#(members)}"#
        return try Self.read(text) { calls.store($0)?.id }
    }

    @Test func `changes set and remove members, and leave the others`() throws {
        var calls = KeptCalls()
        let id = try store(#""display_name":"Ann","pending_action":"answering""#, in: &calls)
        let changed = try Self.read(#"{"state":"active","rev":2}"#) {
            calls.change(id, $0, removing: ["pending_action"])
        }
        #expect(changed.state == .active && changed.revision == 2)
        #expect(changed.pendingAction == nil && changed.properties.displayName == "Ann")
        #expect(calls.all == [changed])
    }

    @Test func `what is allowed is not undone by changes`() throws {
        var calls = KeptCalls()
        let id = try store(#""allowed":["answer"],"merge_with":["\#(Self.id)"]"#, in: &calls)
        let names = try Self.read(#"{"call":"\#(Self.id)","allowed":["end"]}"#) {
            calls.allow($0)?.names
        }
        #expect(names == ["allowed", "merge_with"])
        let changed = try Self.read(#"{"rev":2}"#) { calls.change(id, $0, removing: []) }
        #expect(changed.allowed == [.end] && changed.mergeWith.isEmpty)
    }

    @Test func `changes of an unknown call are none`() throws {
        var calls = KeptCalls()
        let isKnown = try Self.read(#"{"rev":2}"#) {
            calls.change(CallID.random(), $0, removing: []) != nil
        }
        #expect(!isKnown && calls.all.isEmpty)
    }
}
