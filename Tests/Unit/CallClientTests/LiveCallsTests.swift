import CallClient
import CallModel
import Testing

/// What a provider lists when it comes back.
struct LiveCallsTests {
    private let call = CallID.random()
    private var calls = LiveCalls()

    private var states: [CallState] {
        calls.listed.map(\.state)
    }

    private static let somebody = CallAction.start(
        StartArguments(remote: Handle(kind: .phone, value: "+15550100"), hasVideo: true))

    @Test mutating func `an incoming call rings until it is answered`() {
        calls.reported(call, CallUpdate())
        calls.rings(call)
        #expect(states == [.ringing])
        calls.requested(.answer, call)
        #expect(states == [.ringing])
        calls.fulfilled(.answer, call)
        #expect(states == [.active])
        calls.fulfilled(.end, call)
        #expect(calls.listed == [])
    }

    @Test mutating func `a call that was over before the broker took it is not listed`() {
        calls.reported(call, CallUpdate())
        calls.ended(call)
        calls.rings(call)
        #expect(calls.listed == [])
    }

    @Test mutating func `a call that the broker has not taken yet is not listed`() {
        calls.reported(call, CallUpdate())
        #expect(calls.listed == [])
        calls.refused(call)
        calls.rings(call)
        #expect(!calls.contains(call))
    }

    @Test mutating func `a second report that is refused leaves the call`() {
        calls.reported(call, CallUpdate())
        calls.reported(call, CallUpdate())
        calls.rings(call)
        calls.refused(call)
        #expect(states == [.ringing])
    }

    @Test mutating func `a call that is starting is not listed, the broker knows of it`() {
        calls.requested(Self.somebody, call)
        #expect(calls.listed == [])
        calls.fulfilled(Self.somebody, call)
        #expect(states == [.dialing])
        calls.connecting(call)
        #expect(states == [.connecting])
        calls.connected(call)
        #expect(states == [.active])
    }

    @Test mutating func `an outgoing call is listed with whom it is for`() {
        calls.requested(Self.somebody, call)
        calls.fulfilled(Self.somebody, call)
        #expect(calls.listed[0].update.remote == .set(Handle(kind: .phone, value: "+15550100")))
        #expect(calls.listed[0].update.hasVideo == .set(true))
        #expect(calls.listed[0].direction == .outgoing)
    }

    @Test mutating func `a report of a connection does not resume a held call`() {
        calls.reported(call, CallUpdate())
        calls.rings(call)
        calls.fulfilled(.answer, call)
        calls.fulfilled(.setHeld(true), call)
        calls.connected(call)
        #expect(states == [.held])
        calls.fulfilled(.setHeld(false), call)
        #expect(states == [.active])
    }

    @Test(arguments: [CallAction.answer, .end])
    mutating func `a call that could not be answered or ended is over`(action: CallAction) {
        calls.reported(call, CallUpdate())
        calls.rings(call)
        calls.failed(action, call)
        #expect(calls.listed == [])
    }

    @Test(arguments: [CallAction.setHeld(true), .setMuted(true), .setGroup(with: nil)])
    mutating func `other failures leave a call as it was`(action: CallAction) {
        calls.reported(call, CallUpdate())
        calls.rings(call)
        calls.failed(action, call)
        #expect(states == [.ringing])
    }

    @Test mutating func `updates add up`() {
        var first = CallUpdate()
        first.displayName = .set("Ann")
        first.hasVideo = .set(true)
        var second = CallUpdate()
        second.displayName = .cleared
        calls.reported(call, first)
        calls.rings(call)
        calls.updated(call, second)
        #expect(calls.listed[0].update.displayName == .cleared)
        #expect(calls.listed[0].update.hasVideo == .set(true))
    }
}
