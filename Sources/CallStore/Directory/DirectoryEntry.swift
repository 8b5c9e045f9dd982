/// What a caller directory says of a number: whose it is, or that it is to be blocked, or both.
package struct DirectoryEntry: Hashable, Sendable {
    /// Country code and digits, as CallKit's `CXCallDirectoryPhoneNumber`.
    package var number: Int64
    package var label: String?
    package var isBlocked: Bool

    package init(_ number: Int64, label: String? = nil, isBlocked: Bool = false) {
        self.number = number
        self.label = label
        self.isBlocked = isBlocked
    }
}

/// What CallKit's incremental loading can do to what was loaded before.
package enum DirectoryChange: Hashable, Sendable {
    /// A further label of the number, or its block.
    case add(DirectoryEntry)
    /// All labels of the number.
    case removeLabels(Int64)
    case removeBlock(Int64)
    case removeAllLabels
    case removeAllBlocks
}

/// Whoever fills a part of the caller directory.
package struct DirectorySource: Hashable, Sendable {
    package var name: String
    package var isEnabled = true
    /// The generation that serves; nil before the first is complete.
    package var generation: Int64?
    /// Labels and blocks of that generation.
    package var entries = 0
    /// The generation that is being loaded, and how much of it is there.
    package var loading: Int64?
    package var loaded = 0

    package init(name: String) {
        self.name = name
    }
}

/// A label and the source that says so.
package struct DirectoryLabel: Hashable, Sendable {
    package var label: String
    package var source: String

    package init(label: String, source: String) {
        self.label = label
        self.source = source
    }
}

/// All that is known of an address; what goes before what is the caller's business.
package struct CallerFacts: Hashable, Sendable {
    package var contact: Contact?
    /// The most exact one that fits.
    package var block: Block?
    /// In the order of the sources, by name.
    package var labels: [DirectoryLabel] = []
    package var blockingSources: [String] = []

    package init() {}
}
