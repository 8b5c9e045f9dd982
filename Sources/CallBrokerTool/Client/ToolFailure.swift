internal import ArgumentParser
internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// Why the tool gives up: what to say, and the exit code.
struct ToolFailure: Error {
    enum Code: Int32 {
        case errorReply = 1
        case usage = 2
        case noConnection = 3
        case deadline = 4
        case denied = 5
    }

    let code: Code
    private(set) var message: String
    /// The reason of the broker's error, where it was put in words for people.
    var reason: String?
    /// Whether the message is a document already.
    var isDocument = false

    init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The same, and for this reason of the broker: what may have been meant.
    func guessing(_ reason: String, _ names: @autoclosure () -> [String]) -> ToolFailure {
        let names = self.reason == reason ? names() : []
        guard !names.isEmpty else { return self }
        var copy = self
        copy.message += "\n  did you mean: " + names.joined(separator: ", ")
        return copy
    }

    /// For programs: one document on one line.
    var document: String {
        guard !isDocument else { return message }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("exit_code", Int(code.rawValue))
            writer.member("message", message)
        }
        return writer.text
    }
}

extension ToolFailure.Code {
    /// The exit code for an error reply.
    init(_ code: ErrorCode?) {
        switch code {
        case .permissionDenied: self = .denied
        case .deadlineExceeded: self = .deadline
        default: self = .errorReply
        }
    }
}
