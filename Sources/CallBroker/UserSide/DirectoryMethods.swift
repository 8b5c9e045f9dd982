internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol
internal import CallStore

/// The methods of the caller directories that the broker stores.
struct DirectoryMethods {
    let broker: Broker

    func perform(_ request: DirectoryRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .putEntries(let params): try putEntries(params, target)
        case .changeEntries(let params): try changeEntries(params, target)
        case .clear(let params): try clearDirectory(params, target)
        case .list: try listDirectories(target)
        case .enable(let params): try enableDirectory(params, target)
        }
    }

    private func putEntries(_ params: PutEntriesParams, _ target: ReplyTarget) throws(RPCError) {
        let source = try source(params.source, target.peer)
        let generation = params.generation
        let entries = DirectoryEntry.list(params.entries)
        let isLast = params.isFinal
        try broker.store.checkAttached()
        let loader = target.peer.number
        target.peer.isLoading.insert(source)
        broker.outbox.postpone(target)
        broker.store.consult(
            .load, target,
            { store throws(StoreError) in
                try store.load(entries, into: source, generation, by: loader)
            }
        ) { [weak broker] total in
            broker?.store.recordCallerData()
            if isLast {
                broker?.directories.finishLoad(of: source, generation, entries.count, target)
            } else {
                broker?.directories.answer(target, accepted: entries.count, total)
            }
        }
    }

    /// Activates a directory whose last part has been loaded.
    private func finishLoad(
        of source: String, _ generation: Int64, _ accepted: Int, _ target: ReplyTarget
    ) {
        let loader = target.peer.number
        broker.store.consult(
            .write, target,
            { store throws(StoreError) in
                try store.finishLoad(of: source, generation, by: loader)
            }
        ) { [weak broker] total in
            target.peer.isLoading.remove(source)
            broker?.directories.answer(target, accepted: accepted, total)
        }
    }

    private func answer(_ target: ReplyTarget, accepted: Int, _ total: Int) {
        broker.outbox.answer(target) { writer in
            writer.member("accepted", accepted)
            writer.member("total", total)
        }
    }

    private func changeEntries(
        _ params: ChangeEntriesParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let source = try source(params.source, target.peer)
        let changes = DirectoryChange.list(params)
        try broker.store.ask(
            .write, target,
            { store throws(StoreError) in try store.changeDirectory(source, changes) },
            then: { [weak broker] _ in broker?.store.recordCallerData() },
            reply: { total, writer in writer.member("total", total) })
    }

    private func clearDirectory(
        _ params: ClearDirectoryParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let source = try source(params.source, target.peer)
        try broker.store.ask(
            .write, target,
            { store throws(StoreError) in try store.removeDirectorySource(source) },
            reply: { removed, writer in writer.member("removed", removed) })
    }

    private func listDirectories(_ target: ReplyTarget) throws(RPCError) {
        try broker.store.ask(
            .read, target, { store throws(StoreError) in try store.directorySources() },
            reply: { sources, writer in
                writer.name("sources")
                writer.array { writer in
                    for source in sources { writer.object { $0.members(of: source) } }
                }
            })
    }

    private func enableDirectory(
        _ params: EnableDirectoryParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let source = params.source
        let isEnabled = params.isEnabled
        try broker.store.ask(
            .write, target,
            { store throws(StoreError) in
                try store.setDirectorySource(source, isEnabled: isEnabled)
            },
            reply: { _, writer in writer.member("enabled", isEnabled) })
    }

    /// Interrupts the loads of a peer that has disconnected before their end; it has to load the
    /// directories again.
    func interruptLoads(of peer: Peer) {
        for source in peer.isLoading.sorted() {
            let loader = peer.number
            broker.store.submit(
                .load, { store throws(StoreError) in store.interruptDirectory(source, by: loader) })
        }
        peer.isLoading = []
    }

    /// Returns the source of a request: a plugin's own directory, or the one that an admin names.
    private func source(_ named: String?, _ peer: Peer) throws(RPCError) -> String {
        if let own = peer.identity, peer.roles.contains(.directory), named ?? own == own {
            return own
        }
        guard peer.roles.contains(.admin) else {
            throw RPCError(
                .permissionDenied, reason: .roleNotGranted,
                "the directory belongs to another plugin"
            ).with { $0.field = "/source" }
        }
        guard let named else {
            throw RPCError(
                .invalidParams, reason: .missingMember, "params.source is required for an admin"
            ).with { $0.field = "/source" }
        }
        return named
    }
}

extension CallStore {
    /// Adds one part to a load; the first part begins it, and ends an earlier load of the same
    /// loader that has failed.
    fileprivate func load(
        _ entries: [DirectoryEntry], into source: String, _ generation: Int64, by loader: Int
    ) throws(StoreError) -> Int {
        if loadingGeneration(of: source, by: loader) != generation {
            try beginDirectory(source, generation: generation, by: loader)
        }
        do throws(StoreError) {
            return try putDirectory(entries, source, generation: generation)
        } catch {
            failDirectory(source, generation: generation, by: loader)
            throw error
        }
    }

    /// Completes a load after its last part.
    fileprivate func finishLoad(
        of source: String, _ generation: Int64, by loader: Int
    ) throws(StoreError) -> Int {
        do throws(StoreError) {
            return try finishDirectory(source, generation: generation)
        } catch {
            failDirectory(source, generation: generation, by: loader)
            throw error
        }
    }
}

extension DirectoryEntry {
    fileprivate static func list(_ value: JSONValue?) -> [DirectoryEntry] {
        value?.elements.map { element in
            let entry = DirectoryEntryParams(checked: element)
            return DirectoryEntry(entry.number, label: entry.label, isBlocked: entry.isBlocked)
        } ?? []
    }
}

extension DirectoryChange {
    /// Reads the changes of a request: the removals first, then the additions.
    fileprivate static func list(_ params: ChangeEntriesParams) -> [DirectoryChange] {
        var changes: [DirectoryChange] = []
        if params.removesAllLabels { changes.append(.removeAllLabels) }
        if params.removesAllBlocks { changes.append(.removeAllBlocks) }
        changes += params.removedLabels?.elements.compactMap(\.integer).map(removeLabels) ?? []
        changes += params.removedBlocks?.elements.compactMap(\.integer).map(removeBlock) ?? []
        return changes + DirectoryEntry.list(params.added).map(add)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of source: DirectorySource) {
        member("source", source.name)
        member("enabled", source.isEnabled)
        if let generation = source.generation { member("generation", generation) }
        member("entries", source.entries)
        if let loading = source.loading { member("loading", loading) }
    }
}
