internal import BrokerJSON
internal import BrokerRPC
internal import CallModel
internal import CallProtocol
internal import CallStore

/// The methods of contacts and blocks.
struct PeopleMethods {
    let broker: Broker

    func perform(
        _ method: ClientMethod.PeopleMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method {
        case .addBlock: try addBlock(params, target)
        case .removeBlock: try removeBlock(params, target)
        case .listBlocks: try listBlocks(params, target)
        case .putContact: try putContact(params, target)
        case .removeContact: try removeContact(params, target)
        case .listContacts: try listContacts(params, target)
        }
    }

    // MARK: - Blocks

    private func addBlock(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let block = Block(
            try pattern(params), reason: params?["reason"]?.string, addedAtMS: broker.clock.unixMS)
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.add(block) },
            then: { [weak broker] in
                broker?.store.recordStored(block)
            }, reply: { _, writer in writer.members(of: block) })
    }

    private func removeBlock(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let pattern = try pattern(params)
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.removeBlock(pattern) },
            then: { [weak broker] removed in
                if removed { broker?.store.recordUnblocked(pattern) }
            },
            reply: { removed, writer in writer.member("removed", removed) })
    }

    private func listBlocks(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let after = params?["after"]?.string
        let limit = HistoryWriter.pageLimit(params)
        try broker.store.ask(
            .read, target,
            { store throws(StoreError) in try store.blocks(after: after, limit: limit) },
            reply: { page, writer in
                writer.name("blocks")
                writer.array { writer in
                    for block in page.items { writer.object { $0.members(of: block) } }
                }
                writer.member("next", ifSet: page.next)
            })
    }

    private func pattern(_ params: JSONValue?) throws(RPCError) -> Block.Pattern {
        let (handle, prefix) = (params?["handle"], params?["prefix"])
        switch (handle.map(Handle.init(checked:)), prefix.map(Handle.init(checked:))) {
        case (let handle?, nil): return .handle(handle)
        case (nil, let prefix?): return .prefix(prefix.kind, prefix.value)
        default:
            throw RPCError(
                .invalidParams, reason: .handleOrPrefix,
                "params must have either handle or prefix"
            ).with { $0.field = "" }
        }
    }

    // MARK: - Contacts

    private func putContact(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let params = try params.required()
        let contact = Contact(checked: params)
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.put(contact) },
            then: { [weak broker] in
                broker?.store.recordStored(contact)
            }, reply: { _, writer in writer.members(of: contact) })
    }

    private func removeContact(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let id = params?["contact"]?.string ?? ""
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.removeContact(id) },
            then: { [weak broker] _ in
                broker?.store.recordRemoved(contact: id)
            },
            reply: { removed, writer in writer.member("removed", removed) })
    }

    private func listContacts(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let filter = ContactFilter(
            text: params?["text"]?.string, favorites: params?["favorites"]?.boolean ?? false)
        let after = params?["after"]?.string
        let limit = min(Self.contactsMax, HistoryWriter.pageLimit(params))
        try broker.store.ask(
            .read, target,
            { store throws(StoreError) in
                try store.contacts(filter, after: after, limit: limit)
            },
            reply: { page, writer in
                writer.name("contacts")
                writer.array { writer in
                    for contact in page.items { writer.object { $0.members(of: contact) } }
                }
                writer.member("next", ifSet: page.next)
            })
    }

    /// The maximum number of contacts in a page: the longest ones still fit into a frame.
    private static let contactsMax = 6
}

extension Contact {
    fileprivate init(checked params: JSONValue) {
        self.init(
            id: params["contact"]?.string ?? RandomID.uuid(), name: params["name"]?.string ?? "",
            handles: params["handles"]?.elements.map(Handle.init(checked:)) ?? [])
        isFavorite = params["favorite"]?.boolean ?? false
        breaksThrough = params["breakthrough"]?.boolean ?? false
        provider = ProviderID(params["provider"])
    }
}

extension JSONWriter {
    fileprivate mutating func members(of block: Block) {
        switch block.pattern {
        case .handle(let handle): member("handle", handle)
        case .prefix(let kind, let value): member("prefix", Handle(kind: kind, value: value))
        }
        member("reason", ifSet: block.reason)
        member("added_at_ms", block.addedAtMS)
    }

    fileprivate mutating func members(of contact: Contact) {
        member("contact", contact.id)
        member("name", contact.name)
        name("handles")
        array { writer in for handle in contact.handles { writer.value(handle) } }
        member("favorite", contact.isFavorite)
        member("breakthrough", contact.breaksThrough)
        if let provider = contact.provider { member("provider", provider) }
    }
}
