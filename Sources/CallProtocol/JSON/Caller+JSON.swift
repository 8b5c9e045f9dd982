package import BrokerJSON
package import CallModel

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ caller: Caller) {
        self.name(name)
        object { writer in
            writer.member("name", ifSet: caller.name)
            writer.member("label", ifSet: caller.label)
            writer.member("source", caller.source)
        }
    }
}
