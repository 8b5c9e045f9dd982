internal import BrokerJSON
package import CallModel
internal import CallProtocol

/// A request to change a setting of a line.
package struct SettingRequest: Sendable {
    /// The number by which the request is answered, on whichever connection.
    package let number: Int
    package let line: String
    package let setting: LineSetting
}

/// The requests of the broker to change settings of lines, each of which the app answers once.
struct SettingRequests {
    /// The ids of open requests on this connection, by their numbers.
    private var open: [Int: Int64] = [:]
    private var lastNumber = 0

    /// Records a request; nil if its setting is not known.
    mutating func begin(_ id: Int64, _ params: JSONValue?) -> SettingRequest? {
        guard let line = params?["line"]?.string, let setting = LineSetting(checked: params) else {
            return nil
        }
        lastNumber += 1
        open[lastNumber] = id
        return SettingRequest(number: lastNumber, line: line, setting: setting)
    }

    /// Returns the id with which to answer a request; nil if it was answered or withdrawn.
    mutating func end(_ number: Int) -> Int64? {
        open.removeValue(forKey: number)
    }

    /// Removes a request that the broker has withdrawn.
    ///
    /// - Returns: false if there is no such request.
    mutating func withdraw(_ id: Int64) -> Bool {
        guard let number = open.first(where: { $0.value == id })?.key else { return false }
        open[number] = nil
        return true
    }

    /// Removes the requests of a connection that is lost.
    mutating func removeAll() {
        open = [:]
    }
}
