internal import CLinux
internal import Glibc

/// Why a socket, a folder or a descriptor could not be had: a sentence for the person who started
/// the program, saying what to do where there is something to do.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// Somebody else serves this path.
        case inUse
        /// Nobody listens there.
        case noListener
        /// A path, a folder or an environment variable that cannot be used.
        case unusable
        /// A system call failed.
        case system
        /// A time-out.
        case timedOut
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// A failed system call, with the system's own words for `errno`.
    static func system(_ call: String, _ number: Int32 = errno) -> SocketError {
        SocketError(.system, "\(call): \(systemMessage(number))")
    }

    static func systemMessage(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
