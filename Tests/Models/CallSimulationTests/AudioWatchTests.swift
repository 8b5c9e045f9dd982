import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Audio that is granted and revoked in another way than it should be is seen.
struct AudioWatchTests {
    private let call = Doctored.call(1)
    private let provider = Doctored.provider

    @Test func `a grant and its revocation are fine`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .activateAudio(provider, group: call, calls: [call]),
            .deactivateAudio(provider, group: call, calls: [call]),
            .activateAudio(provider, group: call, calls: [call]))
        #expect(complaints == [])
    }

    @Test func `a second grant before the revocation`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .activateAudio(provider, group: call, calls: [call]),
            .activateAudio(provider, group: Doctored.call(2), calls: [Doctored.call(2)]))
        #expect(complaints == ["I3: audio is activated while another group has it"])
    }

    @Test func `a revocation without a grant`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .deactivateAudio(provider, group: call, calls: [call]))
        #expect(complaints == ["I3: audio is deactivated that nobody has"])
    }

    @Test func `a revocation of another group`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .activateAudio(provider, group: call, calls: [call]),
            .deactivateAudio(provider, group: Doctored.call(2), calls: []))
        #expect(
            complaints == ["I3: audio is deactivated for another group than it was activated"])
    }

    @Test func `a group that was regrouped may have another name`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .activateAudio(provider, group: call, calls: [call]),
            .announce(.callChanged(call, [.group], Cause(.provider))),
            .deactivateAudio(provider, group: Doctored.call(2), calls: []))
        #expect(complaints == [])
    }

    @Test func `an answer while another group has the audio`() {
        var doctored = Doctored.withCalls()
        doctored.take(
            Doctored.nothing, [.activateAudio(provider, group: call, calls: [call])])
        let complaints = doctored.complaints(
            of: Doctored.nothing, Doctored.sending(Doctored.dispatch(1, call: 2)))
        #expect(
            complaints == ["I1: a call is to become live while another group has the audio"])
    }

    @Test func `a grant to a call that is not listed`() {
        var doctored = Doctored.withCalls()
        let stranger = Doctored.call(7)
        let complaints = doctored.complaints(
            .activateAudio(provider, group: stranger, calls: [stranger]))
        #expect(complaints == ["I3: audio is activated for an unlisted call"])
    }

    @Test func `a grant to an unknown provider`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .activateAudio(ProviderID("org.x"), group: call, calls: [call]))
        #expect(complaints == ["I3: audio is activated for an unknown provider"])
    }

    @Test func `a grant to a group without its oldest member`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .activateAudio(provider, group: call, calls: [Doctored.call(2)]))
        #expect(complaints == ["I3: audio is activated for a group without its oldest"])
    }
}
