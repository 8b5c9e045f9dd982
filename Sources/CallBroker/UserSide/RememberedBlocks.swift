internal import CallJournal
internal import CallModel
internal import CallStore

/// Whom the user blocks, and who breaks through, as the journal remembers it: it speaks for a store that
/// says nothing.
struct RememberedBlocks {
    private(set) var copy = ScreeningCopy()
    /// As calls are compared with it; made when it is first needed.
    private var keys: Keys?
    /// The store is being read, and has changed since.
    private var isReading = false
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

    // MARK: - Reading it from the store

    /// False if it is being read already; it is to be read again then.
    mutating func beginReading() -> Bool {
        hasChanged = isReading
        defer { isReading = true }
        return !isReading
    }

    /// Whether it must be read again: it has changed meanwhile.
    mutating func endReading() -> Bool {
        defer { (isReading, hasChanged) = (false, false) }
        return hasChanged
    }

    // MARK: - Asking it

    /// What is remembered of a block, however that was written.
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

    /// What is known of somebody without the store.
    mutating func answer(about remote: Handle, region: String) -> Screening.Answer {
        let keys = keys(in: region)
        let names = HandleKey.names(of: remote, region: region)
        var answer = Screening.Answer()
        if names.contains(where: keys.breakingThrough.contains) {
            (answer.verdict, answer.isKnown) = (.allow, true)
        }
        let isBlocked = names.contains { name in
            keys.exact.contains(name) || keys.prefixes.contains { name.begins(with: $0) }
        }
        if isBlocked { answer.verdict = .block(.blockList, by: "block_list") }
        return answer
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
