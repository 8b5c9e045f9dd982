/// Changes of a complete file, as in CallKit's incremental loading.
extension DirectoryFile {
    /// Applies all changes or none, durably, and returns the number of entries.
    func change(_ changes: [DirectoryChange], entriesMax: Int) throws(StoreError) -> Int {
        let before = (labels, blocks)
        try connection.run("BEGIN", [])
        do throws(StoreError) {
            for (index, change) in changes.enumerated() { try apply(change, index) }
            guard entries <= entriesMax else {
                throw StoreError(
                    .directory(.maximumEntriesExceeded),
                    "a source has at most \(entriesMax) entries")
            }
            try connection.run(
                "UPDATE total SET labels = ?, blocks = ?", [.integer(labels), .integer(blocks)])
            try connection.run("COMMIT", [])
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK", []) }
            (labels, blocks) = before
            throw error
        }
        return entries
    }

    private func apply(_ change: DirectoryChange, _ index: Int) throws(StoreError) {
        switch change {
        case .add(let entry): try add(entry, index)
        case .removeLabels(let number):
            var count = 0
            try lookUp(number) { count = $1.map(Self.labelCount) ?? 0 }
            guard count > 0 else { return }
            try connection.run(
                "UPDATE entry SET labels = NULL WHERE number = ?", [.integer(number)])
            try dropEmpty(number)
            labels -= count
        case .removeBlock(let number):
            var wasBlocked = false
            try lookUp(number) { isBlocked, _ in wasBlocked = isBlocked }
            guard wasBlocked else { return }
            try connection.run("UPDATE entry SET blocked = 0 WHERE number = ?", [.integer(number)])
            try dropEmpty(number)
            blocks -= 1
        case .removeAllLabels:
            try connection.run("DELETE FROM entry WHERE blocked = 0", [])
            try connection.run("UPDATE entry SET labels = NULL WHERE labels IS NOT NULL", [])
            labels = 0
        case .removeAllBlocks:
            try connection.run("DELETE FROM entry WHERE labels IS NULL", [])
            try connection.run("UPDATE entry SET blocked = 0 WHERE blocked = 1", [])
            blocks = 0
        }
    }

    private func add(_ entry: DirectoryEntry, _ index: Int) throws(StoreError) {
        try Self.check(entry, index)
        var known: (isBlocked: Bool, labels: String?) = (false, nil)
        try lookUp(entry.number) { known = ($0, $1) }
        var new = entry
        if known.isBlocked { new.isBlocked = false }
        if let label = entry.label, let labels = known.labels,
            labels.split(separator: Self.separator).contains(where: { $0 == label })
        {
            new.label = nil
        }
        guard new.isBlocked || new.label != nil else { return }
        try write(new)
        count([new])
    }

    private func dropEmpty(_ number: Int64) throws(StoreError) {
        try connection.run(
            "DELETE FROM entry WHERE number = ? AND blocked = 0 AND labels IS NULL",
            [.integer(number)])
    }

    private static func labelCount(_ labels: String) -> Int {
        labels.split(separator: separator).count
    }
}
