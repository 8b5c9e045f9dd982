/// Loading a source's next generation, and changing its present one.
extension DirectoryShelf {
    /// - Parameter loader: whose the load is. Another one of his own is over by that; that of somebody
    ///   else goes on.
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
                "a part of generation \(former.generation) was refused: load the next one from its "
                    + "beginning")
        }
        guard let serving = source(name)?.generation, serving >= generation else { return }
        throw StoreError(
            .staleGeneration,
            "generation \(serving) of this source serves already: load one with a higher number")
    }

    /// A part of the load was refused: nothing more of that generation is taken.
    func fail(_ name: String, generation: Int64, by loader: Int) {
        interrupt(name, by: loader)
        failed[name] = (generation, loader)
    }

    private static func isLoading(_ load: Load) -> StoreError {
        StoreError(
            .directory(.currentlyLoading),
            "generation \(load.generation) of this source is being loaded")
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

    /// Who loads is gone: what he has begun is over, and nothing else.
    func interrupt(_ name: String, by loader: Int) {
        if loads[name]?.loader == loader { interrupt(name) }
        if failed[name]?.loader == loader { failed[name] = nil }
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
        guard load.generation == generation else { throw Self.isLoading(load) }
        return load
    }

    private func checkEnabled(_ name: String) throws(StoreError) {
        guard source(name)?.isEnabled ?? true else {
            throw StoreError(.directory(.extensionDisabled), "the user has switched it off")
        }
    }
}
