/// An entry of a caller directory: a label of a number, a block of it, or both.
package struct DirectoryEntry: Hashable, Sendable {
    /// The country code and the digits, as in CallKit's `CXCallDirectoryPhoneNumber`.
    package var number: Int64
    package var label: String?
    package var isBlocked: Bool

    package init(_ number: Int64, label: String? = nil, isBlocked: Bool = false) {
        self.number = number
        self.label = label
        self.isBlocked = isBlocked
    }
}

/// A change of loaded entries, as in CallKit's incremental loading.
package enum DirectoryChange: Hashable, Sendable {
    /// Adds a label to the number, or blocks it.
    case add(DirectoryEntry)
    /// Removes all labels of the number.
    case removeLabels(Int64)
    case removeBlock(Int64)
    case removeAllLabels
    case removeAllBlocks
}

/// A source of the caller directory.
package struct DirectorySource: Hashable, Sendable {
    package var name: String
    package var isEnabled = true
    /// The current generation; nil before the first one is complete.
    package var generation: Int64?
    /// The number of labels and blocks in the current generation.
    package var entries = 0
    /// The generation that is being loaded.
    package var loading: Int64?
    /// The number of entries loaded so far.
    package var loaded = 0

    package init(name: String) {
        self.name = name
    }
}

/// A label with its source.
package struct DirectoryLabel: Hashable, Sendable {
    package var label: String
    package var source: String

    package init(label: String, source: String) {
        self.label = label
        self.source = source
    }
}

/// The facts that the store has about an address. Callers decide which fact takes precedence.
package struct CallerFacts: Hashable, Sendable {
    package var contact: Contact?
    /// The block that matches best.
    package var block: Block?
    /// The labels, sorted by the name of the source.
    package var labels: [DirectoryLabel] = []
    /// The names of the sources that block the number.
    package var blockingSources: [String] = []

    package init() {}
}
