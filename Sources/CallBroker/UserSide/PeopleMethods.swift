internal import BrokerJSON
internal import BrokerRPC
internal import CallModel
internal import CallProtocol
internal import CallStore

/// The methods of contacts and blocks.
struct PeopleMethods {
    let broker: Broker

    func perform(_ request: PeopleRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .addBlock(let params): try addBlock(params, target)
        case .removeBlock(let params): try removeBlock(params, target)
        case .listBlocks(let page): try listBlocks(page, target)
        case .putContact(let params): try putContact(params, target)
        case .removeContact(let params): try removeContact(params, target)
        case .listContacts(let params): try listContacts(params, target)
        }
    }

    // MARK: - Blocks

    private func addBlock(_ params: AddBlockParams, _ target: ReplyTarget) throws(RPCError) {
        let block = Block(
            try pattern(params.block), reason: params.reason, addedAtMS: broker.clock.unixMS)
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.add(block) },
            then: { [weak broker] in
                broker?.store.recordStored(block)
            }, reply: { _, writer in writer.members(of: block) })
    }

    private func removeBlock(_ params: BlockParams, _ target: ReplyTarget) throws(RPCError) {
        let pattern = try pattern(params)
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.removeBlock(pattern) },
            then: { [weak broker] removed in
                if removed { broker?.store.recordUnblocked(pattern) }
            },
            reply: { removed, writer in writer.member("removed", removed) })
    }

    private func listBlocks(_ page: PageParams, _ target: ReplyTarget) throws(RPCError) {
        let after = page.after
        let limit = HistoryWriter.limit(of: page)
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

    private func pattern(_ params: BlockParams) throws(RPCError) -> Block.Pattern {
        switch (params.handle, params.prefix) {
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

    private func putContact(_ params: PutContactParams, _ target: ReplyTarget) throws(RPCError) {
        let contact = Contact(params)
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.put(contact) },
            then: { [weak broker] in
                broker?.store.recordStored(contact)
            }, reply: { _, writer in writer.members(of: contact) })
    }

    private func removeContact(
        _ params: RemoveContactParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let id = params.contact
        try broker.store.ask(
            .write, target, { store throws(StoreError) in try store.removeContact(id) },
            then: { [weak broker] _ in
                broker?.store.recordRemoved(contact: id)
            },
            reply: { removed, writer in writer.member("removed", removed) })
    }

    private func listContacts(
        _ params: ListContactsParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let filter = ContactFilter(text: params.text, favorites: params.favoritesOnly)
        let after = params.page.after
        let limit = min(Self.contactsMax, HistoryWriter.limit(of: params.page))
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
    fileprivate init(_ params: PutContactParams) {
        self.init(
            id: params.contact ?? RandomID.uuid(), name: params.name, handles: params.handles)
        isFavorite = params.isFavorite
        breaksThrough = params.breaksThrough
        provider = params.provider
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
