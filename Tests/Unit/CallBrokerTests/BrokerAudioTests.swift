import CallBroker
import CallTesting
import Testing

/// What providers that go and come back are told of their audio.
struct BrokerAudioTests {
    private let host = MemoryBroker()

    /// A new connection of the provider, with what it says in its hello, and the session that it has.
    private func come(_ members: String = "") throws -> (peer: MemoryPeer, resume: String) {
        let peer = host.connect()
        let hello = Frame.hello(#""roles":["provider"],"identity":"org.a"\#(members)"#)
        let session = try #require(
            try JSONTree(peer.ask(hello).joined())["result"]?["session"])
        let (id, secret) = (session["session"] ?? .null, session["secret"] ?? .null)
        return (peer, #","resume":{"session":\#(id),"secret":\#(secret)}"#)
    }

    /// How often it is told, when it lists a call, that this has the audio.
    private func activations(
        _ peer: MemoryPeer, call: Int = 1, state: String = "active", members: String = ""
    ) -> Int {
        let live =
            #"{"call":"c\#(call)","direction":"incoming","state":"\#(state)","#
            + #""remote":{"type":"phone","value":"+15551"}}"#
        return peer.register(#""calls":[\#(live)]\#(members)"#)
            .filter { $0.hasPrefix("audio.activated") }.count
    }

    @Test func `who comes in a new session, and lists the call with the audio, has it once more`()
        throws
    {
        let first = try come().peer
        #expect(activations(first) == 1)
        first.vanish()
        let second = try come().peer
        #expect(activations(second, members: #","more":true"#) == 0)
        #expect(activations(second) == 1)
        #expect(activations(second) == 0)
    }

    @Test func `who resumes its session is not told what it knows`() throws {
        let (first, resume) = try come()
        #expect(activations(first) == 1)
        first.vanish()
        #expect(try activations(come(resume).peer) == 0)
    }

    @Test func `who does not list the call with the audio does not have it`() throws {
        let first = try come().peer
        #expect(activations(first) == 1)
        first.vanish()
        #expect(try activations(come().peer, call: 2, state: "held") == 0)
    }
}
