package import BrokerJSON

/// All methods of the protocol, found by name.
package struct MethodTable: Sendable {
    /// The methods in the order of the reference.
    package let methods: [Method]
    /// The methods sorted by length and bytes of their names, for a binary search that makes no
    /// `String` of a received name.
    private let sorted: [(name: [UInt8], method: Method)]

    package static let standard = MethodTable(forTests: false)
    /// The source of every method: routing, checks, OpenRPC document and reference follow from it.
    private static let rows =
        sessionRows + operationsRows + providerRows + reportRows + participantRows + performingRows
        + lineRows + pushRows + textRows
        + controllerRows + audioRows + callRows
        + observerRows + screenRows + questionRows + policyRows + grantRows + screeningRows
        + directoryRows + peopleRows
        + historyRows
        + pluginRows + testRows

    /// The table with the methods of the test mode.
    package static let withTestMethods = MethodTable(forTests: true)

    package init(forTests: Bool) {
        methods = Self.rows.filter { forTests || !$0.isForTests }
        sorted = methods.map { (Array($0.name.rawValue.utf8), $0) }.sorted { left, right in
            left.name.withUnsafeBufferPointer { Self.order($0, right.name) < 0 }
        }
    }

    package func find(_ name: UnsafeBufferPointer<UInt8>) -> Method? {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            switch Self.order(name, sorted[middle].name) {
            case 0: return sorted[middle].method
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return nil
    }

    package func find(_ name: String) -> Method? {
        var copy = name
        return copy.withUTF8 { find($0) }
    }

    private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: [UInt8]) -> Int {
        if left.count != right.count { return left.count - right.count }
        for index in right.indices where left[index] != right[index] {
            return Int(left[index]) - Int(right[index])
        }
        return 0
    }
}

extension Method {
    /// Checks received params. Absent params are the same as an empty object.
    package func check(
        _ received: JSONValue?, strangers: Schema.Strangers = .refused
    ) throws(SchemaFault) {
        try Schema.check(received, params, strangers)
    }
}
