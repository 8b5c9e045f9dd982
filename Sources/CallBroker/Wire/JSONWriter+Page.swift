internal import BrokerJSON

extension JSONWriter {
    /// Writes a list of objects, as many as fit: the first one in any case.
    ///
    /// - Parameter bytesMax: The length of the writer's bytes behind the list.
    /// - Returns: the number of objects.
    mutating func page<Item>(
        _ name: StaticString, _ items: some Sequence<Item>, _ bytesMax: Int,
        _ write: (Item, inout JSONWriter) -> Void
    ) -> Int {
        var count = 0
        self.name(name)
        array { writer in
            for item in items {
                let start = writer.bytes.count
                writer.object { write(item, &$0) }
                guard writer.bytes.count <= bytesMax || count == 0 else {
                    return writer.bytes.removeLast(writer.bytes.count - start)
                }
                count += 1
            }
        }
        return count
    }
}
