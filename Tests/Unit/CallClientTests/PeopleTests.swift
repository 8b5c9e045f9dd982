import CallClient
import CallModel
import Testing

/// Whom the user knows, and whom not to hear of, with a real broker.
@Suite(.timeLimit(.minutes(30))) struct PeopleTests {
    private final class App: CallProviderDelegate {}

    private let host: Host
    private let user: CallController
    private let app = App()
    private let phone: CallProvider

    init() async throws {
        host = try Host()
        user = try await CallController(host.options)
        phone = try await CallProvider(
            identity: "org.example.phone", .phone, delegate: app, host.options)
    }

    /// The reason why a call does not reach the user; nil if it does. Then it is over at once.
    private func refusal(of remote: Handle) async -> String? {
        let call = CallID.random()
        do throws(CallError) {
            _ = try await phone.reportIncoming(call, CallUpdate(from: remote))
            try await phone.reportEnded(call, .remoteEnded)
            return nil
        } catch {
            return error.code == .filtered ? error.reason : "\(error)"
        }
    }

    @Test func `who is blocked does not ring until the block is gone`() async throws {
        let block = try await user.block(.handle(.ann), reason: "Survey")
        #expect(block.who == .handle(.ann) && block.reason == "Survey")
        #expect(try await user.blocks() == [block])
        #expect(await refusal(of: .ann) == "block_list")
        #expect(await refusal(of: .bob) == nil)
        #expect(try await user.unblock(.handle(.ann)))
        #expect(try await user.unblock(.handle(.ann)) == false)
        #expect(await refusal(of: .ann) == nil)
        phone.close()
    }

    @Test func `a prefix blocks everybody who has it`() async throws {
        try await user.block(.prefix(Handle(kind: .phone, value: "+155501")))
        #expect(await refusal(of: .ann) == "block_list")
        #expect(await refusal(of: .bob) == "block_list")
        phone.close()
    }

    @Test func `a long list of blocks comes as a whole`() async throws {
        for number in 0..<40 {
            try await user.block(.handle(Handle(kind: .phone, value: "+4930\(number + 100)")))
        }
        #expect(try await user.blocks().count == 40)
        phone.close()
    }

    @Test func `a contact is found by name or number, changed, and removed`() async throws {
        let ada = try await user.addContact("Ada", handles: [.ann], isFavorite: true)
        let bert = try await user.putContact(
            HostContact(
                id: "b", name: "Bert", handles: [.bob], provider: ProviderID("org.example.phone")))
        #expect(bert.id == "b")
        #expect(try await user.contacts() == [ada, bert])
        #expect(try await user.contacts(text: "Ber") == [bert])
        #expect(try await user.contacts(favoritesOnly: true) == [ada])
        var other = ada
        (other.name, other.isFavorite) = ("Ada L.", false)
        #expect(try await user.putContact(other) == other)
        #expect(try await user.contacts(favoritesOnly: true) == [])
        #expect(try await user.removeContact(ada.id))
        #expect(try await user.contacts() == [bert])
        phone.close()
    }

    @Test func `a call shows the name of the contact`() async throws {
        try await user.addContact("Ada", handles: [.ann])
        let call = CallID.random()
        try await phone.reportIncoming(call, CallUpdate(from: .ann))
        #expect(
            try await user.call(call).caller == Caller(name: "Ada", source: Caller.contacts))
        phone.close()
    }

    @Test func `do-not-disturb lets nobody through but who breaks through, until it ends`()
        async throws
    {
        let now = try await now()
        try await user.addContact("Ada", handles: [.ann], breaksThrough: true)
        let policy = try await user.setDoNotDisturb(true, untilMS: now + 60_000)
        #expect(policy.doNotDisturb.isOn && policy.doNotDisturb.untilMS == now + 60_000)
        #expect(await refusal(of: .bob) == "do_not_disturb")
        #expect(await refusal(of: .ann) == nil)
        try await host.advance(60_000)
        // Bob would get through anyhow: he calls again.
        #expect(await refusal(of: Handle(kind: .phone, value: "+15550103")) == nil)
        let after = try await user.setDoNotDisturb(false)
        #expect(after.doNotDisturb == DoNotDisturb())
        phone.close()
    }

    /// What the broker's clock says.
    private func now() async throws -> Int64 {
        let call = CallID.random()
        try await phone.reportIncoming(call, CallUpdate(from: .ann))
        let now = try await user.call(call).createdAtMS
        try await phone.reportEnded(call, .remoteEnded)
        return now
    }

    @Test func `a schedule, unknown callers and the region are changed like any choice`()
        async throws
    {
        let before = try await user.policy()
        var expected = before
        expected.doNotDisturb.schedule = [WeeklyPeriod(days: 0b11, start: 1_320, end: 420)]
        expected.silencesUnknownCallers = true
        expected.region = "FR"
        let wanted = expected
        #expect(try await user.changePolicy { $0 = wanted } == expected)
        #expect(try await user.policy() == expected)
        #expect(try await user.changePolicy { $0 = before } == before)
        phone.close()
    }
}
