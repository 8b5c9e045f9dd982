internal import CLinux
internal import Glibc

/// An error of a socket, a file, a folder or a descriptor: a sentence for the person who started
/// the program, with advice where there is any.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// Another process serves the path.
        case inUse
        /// There is no listener.
        case noListener
        /// A path, a folder or an environment variable cannot be used.
        case unusable
        /// A system call failed.
        case system
        /// A deadline passed.
        case timedOut
    }

    package let kind: Kind
    package let description: String
    /// The values of the sentence, if it is about the connection with a broker.
    package let fault: ConnectionFault?

    package init(_ kind: Kind, _ description: String) {
        self.init(kind, description, nil)
    }

    init(_ kind: Kind, _ description: String, _ fault: ConnectionFault?) {
        self.kind = kind
        self.description = description
        self.fault = fault
    }

    /// Creates the error of a failed system call, with the system's text for `errno`.
    static func system(_ call: String, _ number: Int32 = errno) -> SocketError {
        SocketError(.system, "\(call): \(systemMessage(number))")
    }

    static func systemMessage(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
