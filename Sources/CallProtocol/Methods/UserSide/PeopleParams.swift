package import BrokerJSON
package import CallModel

/// A request about blocks and contacts.
package enum PeopleRequest {
    case addBlock(AddBlockParams)
    case removeBlock(BlockParams)
    case listBlocks(PageParams)
    case putContact(PutContactParams)
    case removeContact(RemoveContactParams)
    case listContacts(ListContactsParams)
}

/// The params of `block.remove`, of which a client has to send exactly one.
package struct BlockParams: MethodParams {
    package let handle: Handle?
    /// The beginning of the blocked addresses.
    package let prefix: Handle?

    package init(checked params: JSONValue?) {
        handle = params?["handle"].map { Handle(checked: $0) }
        prefix = params?["prefix"].map { Handle(checked: $0) }
    }
}

/// The params of `block.add`.
package struct AddBlockParams: MethodParams {
    package let block: BlockParams
    /// A note for the user.
    package let reason: String?

    package init(checked params: JSONValue?) {
        block = BlockParams(checked: params)
        reason = params?["reason"]?.string
    }
}

/// The params of `contact.put`.
package struct PutContactParams: MethodParams {
    /// The contact to replace; nil for a new one.
    package let contact: String?
    package let name: String
    package let handles: [Handle]
    package let isFavorite: Bool
    package let breaksThrough: Bool
    package let provider: ProviderID?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        contact = params?["contact"]?.string
        name = try params.required("name") { $0?.string }
        handles = try params.required("handles") { $0?.elements.map { Handle(checked: $0) } }
        isFavorite = params?["favorite"]?.boolean ?? false
        breaksThrough = params?["breakthrough"]?.boolean ?? false
        provider = ProviderID(params?["provider"])
    }
}

/// The params of `contact.remove`.
package struct RemoveContactParams: MethodParams {
    package let contact: String

    package init(checked params: JSONValue?) throws(SchemaFault) {
        contact = try params.required("contact") { $0?.string }
    }
}

/// The params of `contact.list`.
package struct ListContactsParams: MethodParams {
    package let page: PageParams
    /// A part of the name or of a number.
    package let text: String?
    package let favoritesOnly: Bool

    package init(checked params: JSONValue?) {
        page = PageParams(checked: params)
        text = params?["text"]?.string
        favoritesOnly = params?["favorites"]?.boolean ?? false
    }
}
