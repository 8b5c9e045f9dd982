/// A topic of events, with the data of its events.
package struct TopicRow: Sendable {
    package let topic: Topic
    package let summary: String
    package let details: String
    /// The members of an event's `data`.
    package let data: [Member]
    /// The members of its `data` for a subscriber that is sent the changes of calls; nil if they are
    /// the same.
    package let changes: [Member]?
    /// An example: the params of a whole event.
    package let example: Method.Example
    /// The release that introduced the topic.
    package let since: String

    init(
        _ topic: Topic, _ summary: String, _ details: String, data: [Member],
        changes: [Member]? = nil, example: String, about: String = "", since: String = "0.1"
    ) {
        self.topic = topic
        self.summary = summary
        self.details = details
        self.data = data
        self.changes = changes
        self.example = Method.Example(
            "one event",
            params: """
                {"subscription":1,"epoch":"\(Sample.epoch)","seq":42,"prev":41,\
                "at_ms":\(Sample.at),"topic":"\(topic.rawValue)"\(about),"data":{\(example)}}
                """)
        self.since = since
    }

    /// The members of an event of this topic.
    package var params: [Member] {
        MethodTable.eventMembers(
            of: .choice([topic.rawValue], isOpen: false),
            data: changes.map { .oneOf([.object(data), .object($0)]) } ?? .object(data))
    }
}

/// All topics, in the order of the reference.
package enum TopicTable {
    package static let rows =
        callRows + transactionRows + actionRows + providerRows + hostRows

    package static func find(_ name: UnsafeBufferPointer<UInt8>) -> TopicRow? {
        rows.first { name.elementsEqual($0.topic.rawValue.utf8) }
    }
}
