package import BrokerJSON
package import CallModel

extension JSONWriter {
    /// Writes CallKit's code, for apps written for CallKit.
    package mutating func member(_ name: StaticString, _ code: CallKitCode) {
        self.name(name)
        object { writer in
            writer.member("domain", code.domain.rawValue)
            writer.member("code", code.number)
            writer.member("name", code.name)
        }
    }
}
