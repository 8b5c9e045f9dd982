import CallProtocol
import Testing

struct ReleaseTests {
    @Test func `this build speaks the first version of the protocol`() throws {
        #expect("\(Release.name)" == "callbroker")
        #expect(Release.protocolMajors == 1...1)
        #expect(Release.version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    }
}
