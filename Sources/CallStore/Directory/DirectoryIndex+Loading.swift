/// Loading of new generations, and changes of current ones.
extension DirectoryIndex {
    /// Begins a load.
    ///
    /// - Parameter loader: The owner of the load. It replaces another load of the same owner, but
    ///   not that of another one.
    func begin(_ name: String, generation: Int64, by loader: Int) throws(StoreError) {
        try checkEnabled(name)
        try checkGeneration(generation, of: name, by: loader)
        interrupt(name)
        failed[name] = nil
        lastFile += 1
        let file = try DirectoryFile(lastFile, path: path(lastFile), for: .load)
        loads[name] = Load(generation: generation, loader: loader, file: file)
    }

    private func checkGeneration(
        _ generation: Int64, of name: String, by loader: Int
    ) throws(StoreError) {
        if let load = loads[name] {
            let isBegun = load.file.entries > 0
            guard load.loader == loader,
                isBegun ? load.generation < generation : load.generation <= generation
            else { throw Self.isLoading(load) }
        }
        if let former = failed[name], former.loader == loader, former.generation >= generation {
            throw StoreError(
                .directory(.loadingInterrupted),
                "a part of generation \(former.generation) was refused: load a new generation "
                    + "from the beginning")
        }
        guard let serving = source(name)?.generation, serving >= generation else { return }
        throw StoreError(
            .staleGeneration,
            "generation \(serving) of this source is in use: load a higher one")
    }

    /// Ends a load of which a part was refused; the rest of that generation is refused as well.
    func fail(_ name: String, generation: Int64, by loader: Int) {
        interrupt(name, by: loader)
        failed[name] = (generation, loader)
    }

    private static func isLoading(_ load: Load) -> StoreError {
        StoreError(
            .directory(.currentlyLoading),
            "generation \(load.generation) of this source is being loaded")
    }

    func append(
        _ entries: [DirectoryEntry], _ name: String, generation: Int64
    ) throws(StoreError) -> Int {
        let load = try load(name, generation)
        try checkEnabled(name)
        guard entries.count <= Self.batchMax else {
            throw StoreError(.invalid, "at most \(Self.batchMax) entries at a time")
        }
        do throws(StoreError) {
            try load.file.append(entries, entriesMax: entriesMax)
        } catch {
            // A partial write cannot be undone.
            switch error.code {
            case .directory, .invalid: break
            default: interrupt(name)
            }
            throw error
        }
        return load.file.entries
    }

    /// Syncs a load to the disk. It takes effect once the store's file refers to it, and
    /// `reconcile` is called.
    func complete(_ name: String, generation: Int64) throws(StoreError) -> DirectoryFile {
        let load = try load(name, generation)
        if !load.isComplete { try load.file.complete(name, generation: generation) }
        loads[name]?.isComplete = true
        needsReconciling = true
        return load.file
    }

    /// Ends the load of a loader that has disconnected.
    func interrupt(_ name: String, by loader: Int) {
        if loads[name]?.loader == loader { interrupt(name) }
        if failed[name]?.loader == loader { failed[name] = nil }
    }

    /// Ends a load that is not complete.
    func interrupt(_ name: String) {
        guard let load = loads.removeValue(forKey: name) else { return }
        load.file.close()
        remove(load.file.number)
    }

    /// Records that the sources in the store's file have changed.
    func sourcesChanged() {
        needsReconciling = true
    }

    func change(_ changes: [DirectoryChange], _ name: String) throws(StoreError) -> Int {
        try checkEnabled(name)
        guard changes.count <= Self.batchMax else {
            throw StoreError(.invalid, "at most \(Self.batchMax) changes at a time")
        }
        guard let number = source(name)?.file, let file = files[number] else {
            let removes = changes.contains { if case .add = $0 { false } else { true } }
            throw StoreError(
                .directory(removes ? .unexpectedIncrementalRemoval : .noExtensionFound),
                "this source has not been loaded yet: load it as a whole")
        }
        do throws(StoreError) {
            return try file.change(changes, entriesMax: entriesMax)
        } catch {
            if error.code == .damaged { drop(number, error) }
            throw error.code == .damaged
                ? StoreError(.directory(.loadingInterrupted), error.description) : error
        }
    }

    private func load(_ name: String, _ generation: Int64) throws(StoreError) -> Load {
        guard let load = loads[name] else {
            throw StoreError(
                .directory(.loadingInterrupted), "this source is not being loaded: begin a new load"
            )
        }
        guard load.generation == generation else { throw Self.isLoading(load) }
        return load
    }

    private func checkEnabled(_ name: String) throws(StoreError) {
        guard source(name)?.isEnabled ?? true else {
            throw StoreError(.directory(.extensionDisabled), "the source is disabled")
        }
    }
}
