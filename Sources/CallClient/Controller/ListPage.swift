internal import BrokerJSON
internal import CallProtocol

/// A page of a list.
struct ListPage<Item: Sendable>: Sendable {
    let items: [Item]
    /// The position of the next page; nil on the last one.
    let next: String?

    /// Reads a page. Elements that cannot be read are left out.
    ///
    /// - Parameter name: the member with the elements.
    init(_ value: JSONValue, _ name: StaticString, _ read: (JSONValue) -> Item?) {
        items = value[name].map { $0.elements.compactMap { read($0) } } ?? []
        next = value["next"]?.string
    }
}

extension CallController {
    /// Returns a whole list, which is requested page by page.
    func all<Item: Sendable>(
        _ method: MethodName, _ name: StaticString,
        _ members: (inout JSONWriter) -> Void = { _ in },
        read: @escaping @Sendable (JSONValue) -> Item?
    ) async throws(CallError) -> [Item] {
        var items: [Item] = []
        var after: String?
        repeat {
            let page = try await link.request(
                method,
                { writer in
                    members(&writer)
                    writer.member("after", ifSet: after)
                }
            ) { ListPage($0, name, read) }
            items += page.items
            after = page.next
        } while after != nil
        return items
    }
}
