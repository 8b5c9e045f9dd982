/// Loading a source's next generation, and changing its present one.
extension DirectoryShelf {
    func begin(_ name: String, generation: Int64) throws(StoreError) {
        if let load = loads[name] {
            guard load.generation == generation, load.file.entries == 0 else {
                throw StoreError(
                    .directory(.currentlyLoading),
                    "generation \(load.generation) of this source is being loaded")
            }
            interrupt(name)
        }
        try checkEnabled(name)
        lastFile += 1
        let file = try DirectoryFile(lastFile, path: path(lastFile), for: .load)
        loads[name] = Load(generation: generation, file: file)
    }

    func put(
        _ entries: [DirectoryEntry], _ name: String, generation: Int64
    ) throws(StoreError) -> Int {
        let load = try load(name, generation)
        try checkEnabled(name)
        guard entries.count <= Self.batchMax else {
            throw StoreError(.invalid, "\(Self.batchMax) entries at a time")
        }
        do throws(StoreError) {
            try load.file.append(entries, entriesMax: entriesMax)
        } catch {
            // What is half written cannot be taken back.
            switch error.code {
            case .directory, .invalid: break
            default: interrupt(name)
            }
            throw error
        }
        return load.file.entries
    }

    /// Writes the load to the disk. It counts once the store's file says so, and `settle` was called.
    func complete(_ name: String, generation: Int64) throws(StoreError) -> DirectoryFile {
        let load = try load(name, generation)
        if !load.isComplete { try load.file.complete(name, generation: generation) }
        loads[name]?.isComplete = true
        isUnsettled = true
        return load.file
    }

    /// The load is over, without having come to its end.
    func interrupt(_ name: String) {
        guard let load = loads.removeValue(forKey: name) else { return }
        load.file.shut()
        remove(load.file.number)
    }

    /// The store's file says something else about the sources now.
    func sourcesChanged() {
        isUnsettled = true
    }

    func change(_ changes: [DirectoryChange], _ name: String) throws(StoreError) -> Int {
        try checkEnabled(name)
        guard changes.count <= Self.batchMax else {
            throw StoreError(.invalid, "\(Self.batchMax) changes at a time")
        }
        guard let number = source(name)?.file, let file = files[number] else {
            let removes = changes.contains { if case .add = $0 { false } else { true } }
            throw StoreError(
                .directory(removes ? .unexpectedIncrementalRemoval : .noExtensionFound),
                "nothing of this source was loaded yet: load it as a whole")
        }
        do throws(StoreError) {
            return try file.change(changes, entriesMax: entriesMax)
        } catch {
            if error.code == .damaged { lose(number, error) }
            throw error.code == .damaged
                ? StoreError(.directory(.loadingInterrupted), error.description) : error
        }
    }

    private func load(_ name: String, _ generation: Int64) throws(StoreError) -> Load {
        guard let load = loads[name] else {
            throw StoreError(
                .directory(.loadingInterrupted), "no load of this source has begun: begin it anew")
        }
        guard load.generation == generation else {
            throw StoreError(
                .directory(.currentlyLoading),
                "generation \(load.generation) of this source is being loaded")
        }
        return load
    }

    private func checkEnabled(_ name: String) throws(StoreError) {
        guard source(name)?.isEnabled ?? true else {
            throw StoreError(.directory(.extensionDisabled), "the user has switched it off")
        }
    }
}
