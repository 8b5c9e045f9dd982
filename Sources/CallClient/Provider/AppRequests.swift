internal import BrokerJSON
package import CallModel
internal import CallProtocol

/// A request that is no action: of a user to the app, about a line or a call, or of the app's server.
package struct AppRequest: Sendable {
    package enum Work: Sendable {
        /// The change of a line's setting.
        case change(LineSetting, line: String)
        /// The sending of characters.
        case send(String, CallID)
        /// The change of a participant.
        case changeParticipant(String, Participant.Member, Bool, CallID)
        /// A push with its payload as JSON.
        case receivePush([UInt8], type: String)
    }

    /// The number by which the request is answered, on whichever connection.
    package let number: Int
    package let work: Work
}

/// The requests of the broker that are no actions, each of which the app answers once.
struct AppRequests {
    /// The ids of open requests on this connection, by their numbers.
    private var open: [Int: Int64] = [:]
    private var lastNumber = 0

    /// Records a request; nil if the method or its params are not known.
    mutating func begin(_ method: String, _ id: Int64, _ params: JSONValue?) -> AppRequest? {
        guard let work = AppRequest.Work(method, params) else { return nil }
        lastNumber += 1
        open[lastNumber] = id
        return AppRequest(number: lastNumber, work: work)
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

extension AppRequest.Work {
    fileprivate init?(_ method: String, _ params: JSONValue?) {
        switch method {
        case MethodName.changeLineSetting.rawValue:
            guard let line = params?["line"]?.string, let setting = LineSetting(checked: params)
            else { return nil }
            self = .change(setting, line: line)
        case MethodName.transmitText.rawValue:
            guard let params = try? CallTextParams(checked: params) else { return nil }
            self = .send(params.characters, params.call)
        case MethodName.changeParticipant.rawValue:
            guard let params = try? UpdateParticipantParams(checked: params) else { return nil }
            self = .changeParticipant(
                params.participant, params.member, params.value, params.call)
        case MethodName.receivePush.rawValue:
            guard let type = params?["type"]?.string, let payload = params?["payload"] else {
                return nil
            }
            var writer = JSONWriter()
            writer.value(payload)
            self = .receivePush(writer.bytes, type: type)
        default: return nil
        }
    }
}
