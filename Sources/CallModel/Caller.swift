/// Who is at the other end of a call, as the host knows: from the user's contacts, or from a caller
/// directory.
public struct Caller: Hashable, Sendable {
    /// Where the host knows it from if a contact says so.
    public static let contacts = "contacts"
    /// Bytes of a name, a label or a source at most.
    public static let textBytesMax = 128

    public var name: String?
    /// What kind of caller it is, such as a company or a nuisance (CallKit's identification entries).
    public var label: String?
    /// `contacts`, or the name of the directory.
    public var source: String

    /// A call is with somebody else than before, and it is not known with whom.
    public static let nobody = Caller(source: "")

    /// Whether anything is said of them.
    public var isKnown: Bool {
        name != nil || label != nil
    }

    public init(name: String? = nil, label: String? = nil, source: String) {
        self.name = name
        self.label = label
        self.source = source
    }
}
