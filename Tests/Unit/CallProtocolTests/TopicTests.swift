import BrokerJSON
import CallProtocol
import Testing

struct TopicTests {
    @Test func `every topic has a bit of its own`() {
        let bits = Topic.allCases.map { TopicSet($0).rawValue }
        #expect(Set(bits).count == Topic.allCases.count)
        #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 })
        #expect(TopicSet.all.rawValue == bits.reduce(0, |))
    }

    @Test func `a set lists its topics in the order of their declaration`() {
        #expect(TopicSet.all.topics == Topic.allCases)
        #expect(TopicSet([]).topics == [])
        let two: TopicSet = [TopicSet(.stopping), TopicSet(.callAdded)]
        #expect(two.topics == [.callAdded, .stopping])
    }

    @Test(arguments: Topic.allCases) func `an exact name is that topic`(topic: Topic) {
        #expect(TopicSet(pattern: topic.rawValue) == TopicSet(topic))
        #expect(TopicSet(pattern: topic.rawValue + "x") == nil)
        #expect(TopicSet(pattern: String(topic.rawValue.dropLast())) == nil)
    }

    @Test(arguments: Topic.allCases) func `a noun is all of its topics`(topic: Topic) throws {
        let noun = try #require(topic.rawValue.split(separator: ".").first)
        let topics = Topic.allCases.filter {
            $0.rawValue.hasPrefix(noun + ".") && !$0.isConfidential
        }
        #expect(TopicSet(pattern: "\(noun).*")?.topics == topics)
    }

    @Test func `calls are ten topics, actions are others`() {
        #expect(
            TopicSet(pattern: "call.*")?.topics == [
                .callAdded, .callChanged, .allowedChanged, .callRemoved, .callRefused,
                .dialRefused, .resumeOffered, .callQuality, .participantsChanged, .callText,
            ])
        #expect(
            TopicSet(pattern: "action.*")?.topics == [
                .actionDispatched, .actionFulfilled, .actionFailed, .actionTimedOut, .actionLate,
            ])
    }

    @Test func `what is confidential is named exactly, and told to admins`() {
        #expect(TopicSet(pattern: "*") == TopicSet.all.subtracting(TopicSet(.pluginLog)))
        #expect(TopicSet(pattern: "plugin.*")?.topics == [.pluginState])
        #expect(Topic.allCases.filter(\.isConfidential) == [.pluginLog])
        #expect(Topic.allCases.filter { $0.roles == .admin } == [.pluginLog])
    }

    @Test(arguments: [
        "", ".", "*.", ".*", "**", "*.*", "call", "call.", "call*", "cal.*", "call.a*",
        "call.added.*", "call.*.*", "Call.*", "call. *", " *", "plugins.*", "plugin.stat", "event",
        "call.report_held", "call.ended",
    ])
    func `a pattern that matches nothing is none`(pattern: String) {
        #expect(TopicSet(pattern: pattern) == nil)
    }
}

/// `TopicTable.swift` and its rows.
struct TopicTableTests {
    @Test func `topics and rows are one to one`() {
        #expect(Set(TopicTable.rows.map(\.topic)) == Set(Topic.allCases))
        #expect(TopicTable.rows.count == Topic.allCases.count)
    }

    @Test(arguments: Topic.allCases) func `a topic is found by its name`(topic: Topic) {
        #expect(find(topic.rawValue)?.topic == topic)
        #expect(find(topic.rawValue + ".") == nil)
        #expect(MethodName(rawValue: topic.rawValue) == nil)
    }

    @Test(arguments: TopicTable.rows.indices) func `a row says what its topic is`(index: Int) {
        let row = TopicTable.rows[index]
        #expect(!row.summary.isEmpty && !row.summary.hasSuffix("."))
        #expect(row.details.hasSuffix("."))
        #expect(row.since == "0.1")
        #expect(!row.data.map(\.summary).contains(""))
    }

    @Test(arguments: TopicTable.rows.indices)
    func `an example fits its row, and is an event`(index: Int) throws {
        let row = TopicTable.rows[index]
        #expect(try fault(.object(row.params), row.example.params) == nil)
        let event = try #require(MethodTable.standard.find("event"))
        #expect(try fault(.object(event.params), row.example.params) == nil)
        #expect(row.example.result == nil)
        try withJSON(row.example.params) {
            #expect($0["topic"]?.string == row.topic.rawValue)
        }
    }

    @Test func `an event about another topic is none of this one`() throws {
        let rows = TopicTable.rows
        for (row, other) in zip(rows, rows.dropFirst() + rows.prefix(1)) {
            #expect(try fault(.object(row.params), other.example.params) != nil)
        }
    }

    @Test(arguments: TopicTable.rows.indices)
    func `no member is named like a part of a message`(index: Int) {
        let reserved = ["jsonrpc", "id", "method", "params", "result", "error"]
        let names = Schema.object(TopicTable.rows[index].params).allNames
        #expect(names.isDisjoint(with: reserved))
    }

    private func find(_ name: String) -> TopicRow? {
        var copy = name
        return copy.withUTF8 { TopicTable.find($0) }
    }
}
