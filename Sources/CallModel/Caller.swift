/// The identity of a call's remote side as the host knows it, from the user's contacts or a caller
/// directory.
public struct Caller: Hashable, Sendable {
    /// The `source` of a caller found in the user's contacts.
    public static let contacts = "contacts"
    /// The maximum length of a name, a label or a source, in bytes of UTF-8.
    public static let textBytesMax = 128

    /// The caller's name.
    public var name: String?
    /// The kind of caller, such as a company or a nuisance (the label of CallKit's identification
    /// entries).
    public var label: String?
    /// The source of the identity: `contacts`, or the name of a caller directory.
    public var source: String

    /// The identity of a call whose remote address changed to an unknown one; replaces an earlier
    /// identity.
    public static let nobody = Caller(source: "")

    /// Indicates whether a name or a label is known.
    public var isKnown: Bool {
        name != nil || label != nil
    }

    /// Creates a caller from the data of its source.
    public init(name: String? = nil, label: String? = nil, source: String) {
        self.name = name
        self.label = label
        self.source = source
    }
}
