import CallArbitration
import CallModel
import Testing

@testable import CallTranscript

struct PlayTests {
    @Test func `smoke`() throws {
        let text = """
            # Two apps.
            ## setup
            > provider_registered provider=org.example.a display_name=a handle_types=[phone]
            > provider_registered provider=org.example.b display_name=b handle_types=[phone]
            > @1000 incoming_reported provider=org.example.a call=1
            > @+500 transaction_requested actions=[(call=1 kind=answer)]
            > action_fulfilled action=answer:1
            > incoming_reported provider=org.example.b call=2 remote=phone:+15550100

            ## the hold is fulfilled
            # The user answers.
            > @+500 transaction_requested actions=[(call=2 kind=answer)]
            > action_fulfilled action=hold:1
            > action_fulfilled action=answer:2

            ## the hold is late
            > transaction_requested actions=[(call=2 kind=answer)]
            > @+5000 timer_fired timer=action:hold:1

            """
        let transcript = try Transcript(text)
        #expect(transcript.text() == text)
        let played = try transcript.played().text()
        let again = try Transcript(played)
        #expect(again.text() == played)
        #expect(try again.played().text() == played)
    }
}
