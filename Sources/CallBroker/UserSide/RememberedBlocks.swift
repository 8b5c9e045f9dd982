internal import CallJournal
internal import CallModel
internal import CallStore

/// A copy of the blocks, and of the contacts that break through, from the journal. It is used while
/// the store cannot be read.
struct RememberedBlocks {
    private(set) var copy = ScreeningCopy()
    /// The keys of the copy, with which calls are compared; computed at the first use.
    private var keys: Keys?
    /// True while the copy is being read from the store.
    private var isReading = false
    /// True if the store has changed since the read began.
    private var hasChanged = false

    private struct Keys {
        let region: String
        var exact: Set<HandleKey> = []
        var prefixes: [HandleKey] = []
        var breakingThrough: Set<HandleKey> = []
    }

    mutating func apply(_ change: ScreeningCopy.Change) {
        copy.apply(change)
        keys = nil
    }

    // MARK: - Reading from the store

    /// Begins to read the copy. Returns false during a read, which another one then follows.
    mutating func beginReading() -> Bool {
        hasChanged = isReading
        defer { isReading = true }
        return !isReading
    }

    /// Ends the read. Returns true if another one must follow: the store has changed meanwhile.
    mutating func endReading() -> Bool {
        defer { (isReading, hasChanged) = (false, false) }
        return hasChanged
    }

    // MARK: - Queries

    /// Returns the patterns of the copy that equal a block, whatever their spelling.
    func patterns(sameAs block: Block.Pattern, region: String) -> [ScreeningCopy.Pattern] {
        let wanted = ScreeningCopy.Pattern(block)
        let key = Self.key(of: wanted, region)
        return copy.blocked.filter {
            $0.isPrefix == wanted.isPrefix && Self.key(of: $0, region) == key
        }
    }

    private static func key(of pattern: ScreeningCopy.Pattern, _ region: String) -> HandleKey {
        let handle = pattern.handle
        return pattern.isPrefix
            ? HandleKey(prefix: handle.value, of: handle.kind, region: region)
            : HandleKey(handle, region: region)
    }

    /// Returns the response about a caller without the store.
    mutating func response(about remote: Handle, region: String) -> Screening.Response {
        let keys = keys(in: region)
        let names = HandleKey.names(of: remote, region: region)
        var response = Screening.Response()
        if names.contains(where: keys.breakingThrough.contains) {
            (response.verdict, response.isKnown, response.isPriority) = (.allow, true, true)
        }
        let isBlocked = names.contains { name in
            keys.exact.contains(name) || keys.prefixes.contains { name.begins(with: $0) }
        }
        if isBlocked { response.verdict = .block(.blockList, by: "block_list") }
        return response
    }

    private mutating func keys(in region: String) -> Keys {
        if let keys, keys.region == region { return keys }
        var made = Keys(region: region)
        for pattern in copy.blocked {
            let key = Self.key(of: pattern, region)
            if pattern.isPrefix { made.prefixes.append(key) } else { made.exact.insert(key) }
        }
        made.breakingThrough = Set(copy.breakingThrough.map { HandleKey($0, region: region) })
        keys = made
        return made
    }
}

extension ScreeningCopy.Pattern {
    init(_ pattern: Block.Pattern) {
        switch pattern {
        case .handle(let handle): self.init(handle)
        case .prefix(let kind, let value):
            self.init(Handle(kind: kind, value: value), isPrefix: true)
        }
    }
}
