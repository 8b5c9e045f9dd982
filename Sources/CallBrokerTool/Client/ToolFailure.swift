internal import BrokerJSON
internal import BrokerRPC

/// A failure of the tool: a message and an exit code.
struct ToolFailure: Error {
    enum Code: Int32 {
        case errorReply = 1
        case usage = 2
        case noConnection = 3
        case deadline = 4
        case denied = 5
        /// The broker is too old for the command, or its reply cannot be read.
        case incompatible = 6
    }

    let code: Code
    private(set) var message: String
    /// The reason of the broker's error, where the message is for people.
    var reason: String?
    /// True if the message is a JSON document.
    var isDocument = false

    /// Creates a failure that names this program before the problem.
    init(_ code: Code, _ problem: String) {
        self.init(code: code, message: "callbroker: \(problem)")
    }

    /// Creates a failure whose message is complete, such as that of an error reply.
    init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// Returns the failure of a name that several things have, which are listed, one in each line.
    static func ambiguous(_ what: String, _ lines: [String]) -> ToolFailure {
        ToolFailure(.usage, "\(what):" + lines.map { "\n  \($0)" }.joined())
    }

    /// Returns the failure with suggestions, if the broker's error has this reason.
    func suggesting(_ reason: String, _ names: @autoclosure () -> [String]) -> ToolFailure {
        let names = self.reason == reason ? names() : []
        guard !names.isEmpty else { return self }
        var copy = self
        copy.message += "\n  " + Messages.errorDidYouMean(names: names.joined(separator: ", "))
        return copy
    }

    /// The failure as one line of JSON.
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
