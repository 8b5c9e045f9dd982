internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The properties of the calls that were written last, as JSON: most changes of a call leave what
/// its app has set as it is, which is a third of the call's members.
///
/// Bytes are kept by the call's id, in as many places as a host has calls at its busiest; of two
/// calls with the same place the later one is kept. They are used only for equal properties, so
/// that no change has to be told to this table.
final class WrittenProperties {
    private final class Entry {
        let properties: CallProperties
        let bytes: [UInt8]

        init(_ properties: CallProperties, _ bytes: [UInt8]) {
            self.properties = properties
            self.bytes = bytes
        }
    }

    private static let places = 256

    private var entries = [Entry?](repeating: nil, count: places)

    /// Writes the members of a call that its app sets. They follow other members.
    func write(_ properties: CallProperties, of call: CallID, to writer: inout JSONWriter) {
        let place = IDHash.shared.of(call.bits) % Self.places
        if let entry = entries[place], entry.properties == properties {
            writer.bytes.append(contentsOf: entry.bytes)
            return
        }
        let start = writer.bytes.count
        writer.members(of: properties)
        entries[place] = Entry(properties, Array(writer.bytes[start...]))
    }
}
