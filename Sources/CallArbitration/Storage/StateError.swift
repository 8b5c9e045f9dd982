/// An error in the bytes of a stored state or event. `at` is the number of bytes in front.
package enum StateError: Error, Equatable, Sendable {
    /// The state was stored in another form, by an older or a newer broker.
    case version(found: UInt64, expected: UInt64)
    /// The bytes end within a value.
    case cutOff(at: Int)
    case unexpected(found: UInt64, expected: String, at: Int)
    case leftOver(bytes: Int, at: Int)
    /// All values can be read, but do not fit together.
    case inconsistent(String)
}

extension StateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .version(let found, let expected):
            "expected a state of version \(expected), found version \(found)"
        case .cutOff(let place): "byte \(place): expected more, found the end"
        case .unexpected(let found, let expected, let place):
            "byte \(place): expected \(expected), found \(found)"
        case .leftOver(let bytes, let place):
            "byte \(place): expected the end, found \(bytes) more bytes"
        case .inconsistent(let what): "the state is inconsistent: \(what)"
        }
    }
}
