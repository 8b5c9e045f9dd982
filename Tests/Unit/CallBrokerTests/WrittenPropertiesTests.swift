import BrokerJSON
import CallModel
import CallProtocol
import Testing

// Which bytes are kept is the broker's own business.
@testable import CallBroker

struct WrittenPropertiesTests {
    private let written = WrittenProperties()

    private func properties(_ name: String) -> CallProperties {
        var properties = CallProperties()
        properties.displayName = name
        properties.remote = Handle(kind: .phone, value: "+15550100")
        return properties
    }

    private func expectWritten(
        _ properties: CallProperties, _ call: UInt64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var (writer, fresh) = (JSONWriter(), JSONWriter())
        writer.member("call", "c")
        fresh.member("call", "c")
        written.write(properties, of: CallID(UUIDBits(high: 0, low: call)), to: &writer)
        fresh.members(of: properties)
        #expect(writer.text == fresh.text, sourceLocation: sourceLocation)
    }

    @Test func `what is kept is as if it were written anew, also after a change`() {
        for name in ["Ada", "Ada", "Bob", "Ada", "\"Ada\""] { expectWritten(properties(name), 1) }
        var held = properties("Ada")
        held.isRemoteHeld = true
        expectWritten(held, 1)
    }

    @Test func `more calls than are kept do not mix`() {
        for _ in 1...2 {
            for call in 1...1_000 { expectWritten(properties("\(call)"), UInt64(call)) }
        }
    }
}
