import CallModel
import CallStore
import Testing

struct BlockTests {
    let store = CallStore(.memory)

    private func block(_ pattern: Block.Pattern, _ reason: String? = nil) throws -> Block {
        let block = Block(pattern, reason: reason, addedAtMS: 7)
        try store.add(block)
        return block
    }

    @Test func `a blocked address is found however it is written`() throws {
        try store.setRegion("GB")
        let nuisance = try block(.handle(.phone("020 7946 0018")), "sells windows")
        #expect(try store.block(matching: .phone("+44 20 7946 0018")) == nuisance)
        #expect(try store.block(matching: .phone("+44 20 7946 0019")) == nil)
    }

    @Test(arguments: [
        Handle.phone("+49301234"), .phone("0049 30 1234"), .generic("+49301234"),
        .generic("0049301234"), .generic("tel:+49-30-1234"), .generic("sip:+49301234@any.host"),
        .generic("SIPS:+49301234@any.host:5061;transport=tcp"), .generic("+49301234@any.host"),
        .generic("sip:+49-30-1234;phone-context=example.org@any.host"),
        .generic("sip:0049301234@any.host;user=phone"), .generic("sip:%2B49301234@any.host"),
        Handle(kind: .other("sip"), value: "sip:+49301234@any.host"),
    ]) func `a blocked number is found in whatever it is written`(_ remote: Handle) throws {
        let number = try block(.handle(.phone("+49301234")))
        #expect(try store.block(matching: remote) == number)
        #expect(try store.removeBlock(number.pattern))
        let same = try block(.handle(remote))
        #expect(try store.block(matching: .phone("+49301234")) == same || remote.kind.isOwn)
        #expect(try store.block(matching: remote) == same)
    }

    @Test(arguments: [
        Handle.generic("49301234"), .generic("sip:49301234@any.host"),
        .generic("sip:alice@any.host"),
        .generic("sip:+49301234x@any.host"), .email("+49301234@any.host"),
        .generic("sip:alice@+49301234"), .generic("+4930123"), .generic("301234"),
    ]) func `what only looks like the number is not blocked with it`(_ remote: Handle) throws {
        _ = try block(.handle(.phone("+49301234")))
        #expect(try store.block(matching: remote) == nil)
    }

    @Test func `the user of a host is a number as it is dialled there, a name of digits is not`()
        throws
    {
        try store.setRegion("DE")
        let number = try block(.handle(.phone("+49301234567")))
        #expect(try store.block(matching: .generic("sip:0301234567@provider.example")) == number)
        #expect(try store.block(matching: .generic("0301234567")) == nil)
        #expect(try store.block(matching: .generic("tel:030-1234567")) == number)
        try store.setRegion("NO")
        _ = try block(.handle(.phone("22 12 34 56")))
        #expect(try store.block(matching: .generic("sip:22123456@pbx.example")) == nil)
        #expect(
            try store.block(matching: .generic("sip:22123456@pbx.example;user=phone")) != nil)
    }

    @Test func `a prefix of numbers blocks them in whatever they are written`() throws {
        let prefix = try block(.prefix(.phone, "+4930"))
        #expect(try store.block(matching: .generic("sip:+49301234@any.host")) == prefix)
        #expect(try store.block(matching: .generic("sip:0049301234@any.host")) == prefix)
        #expect(try store.removeBlock(.prefix(.phone, "+4930")))
        let address = try block(.prefix(.generic, "sip:+49301234@any"))
        #expect(try store.block(matching: .generic("sip:+49301234@any.host")) == address)
        #expect(try store.block(matching: .phone("+49301234")) == nil)
    }

    @Test(arguments: [
        ("sip:bob@host:5060", "sip:bob@host"), ("sip:bob@host", "sips:BOB@Host:5061"),
        ("sip:bob@[2001:db8::1]:5060", "sip:bob@[2001:db8::1]"), ("sip:host:5060", "sip:host"),
        ("sip:bob;day=tuesday@host", "sip:bob@host"),
    ]) func `a port and parameters make no other address`(_ one: String, _ other: String) throws {
        let bob = try block(.handle(.generic(one)))
        #expect(try store.block(matching: .generic(other)) == bob)
        #expect(try store.removeBlock(.handle(.generic(other))))
    }

    @Test(arguments: [
        ("sip:bob@host", "sip:bob@other.host"), ("sip:bob@host", "sip:rob@host"),
        ("sip:bob@[2001:db8::1]", "sip:bob@[2001:db8::2]"), ("noon at 12:30", "noon at 12:45"),
        ("sip:bob;a@host", "sip:bob;a@other.host"),
    ]) func `another name, or another host, is another address`(_ one: String, _ other: String)
        throws
    {
        _ = try block(.handle(.generic(one)))
        #expect(try store.block(matching: .generic(other)) == nil)
    }

    @Test func `a number is blocked once, as it was written last`() throws {
        _ = try block(.handle(.phone("+49301234")), "first")
        let last = try block(.handle(.generic("sip:+49301234@any.host")), "last")
        #expect(try store.blocks().items == [last])
        #expect(try store.removeBlock(.handle(.phone("0049301234"))))
    }

    @Test func `a prefix blocks what begins with it, and nothing that is shorter`() throws {
        let prefix = try block(.prefix(.phone, "+49900"))
        #expect(try store.block(matching: .phone("+49900")) == prefix)
        #expect(try store.block(matching: .phone("+49900123456")) == prefix)
        #expect(try store.block(matching: .phone("+4990")) == nil)
        #expect(try store.block(matching: .phone("+4990123456")) == nil)
    }

    @Test func `a prefix is completed as a number would be`() throws {
        try store.setRegion("DE")
        let prefix = try block(.prefix(.phone, "0900"))
        #expect(try store.block(matching: .phone("+499001234567")) == prefix)
        #expect(try store.block(matching: .phone("0900 1234567")) == prefix)
    }

    @Test func `the most exact of several blocks is the one that counts`() throws {
        let country = try block(.prefix(.phone, "+1"))
        let area = try block(.prefix(.phone, "+1555"))
        let number = try block(.handle(.phone("+15550100")))
        _ = try block(.prefix(.phone, "+15550100"))
        _ = try block(.prefix(.phone, "+15552"))
        _ = try block(.prefix(.phone, "+155499"))
        #expect(try store.block(matching: .phone("+15550100")) == number)
        #expect(try store.block(matching: .phone("+15551234")) == area)
        #expect(try store.block(matching: .phone("+15499999")) == country)
    }

    @Test func `addresses of every kind can be blocked, in whole or in part`() throws {
        let mail = try block(.handle(.email("Spam@Example.com")))
        let domain = try block(.prefix(.generic, "sip:bot"))
        let other = try block(.handle(Handle(kind: .other("matrix"), value: "@x:example.org")))
        #expect(try store.block(matching: .email("spam@example.com")) == mail)
        #expect(try store.block(matching: .generic("SIP:Bot7@example.net")) == domain)
        #expect(try store.block(matching: other.pattern.handle) == other)
    }

    @Test func `the blocked number of a gateway is blocked`() throws {
        let number = try block(.handle(.phone("+15550100")))
        #expect(try store.block(matching: .generic("sip:+15550100@gateway.example")) == number)
        #expect(try store.block(matching: .generic("sip:15550100@gateway.example")) == nil)
    }

    @Test func `a block that is added again takes the new reason and keeps its place`() throws {
        _ = try block(.handle(.phone("+15550100")), "old")
        _ = try block(.handle(.phone("+15550101")))
        try store.add(
            Block(.handle(.phone("+1 555 0100")), reason: "new", addedAtMS: 9))
        #expect(
            try store.blocks().items == [
                Block(.handle(.phone("+1 555 0100")), reason: "new", addedAtMS: 7),
                Block(.handle(.phone("+15550101")), addedAtMS: 7),
            ])
    }

    @Test func `a block is removed by its pattern`() throws {
        _ = try block(.handle(.phone("+15550100")))
        let prefix = try block(.prefix(.phone, "+15550100"))
        #expect(try store.removeBlock(.handle(.phone("+1 (555) 0100"))))
        #expect(try !store.removeBlock(.handle(.phone("+15550100"))))
        #expect(try store.blocks().items == [prefix])
    }

    @Test func `blocks are listed page by page in the order of their adding`() throws {
        let added = try (0..<5).map { try block(.handle(.phone("+1555010\(9 - $0)"))) }
        let first = try store.blocks(limit: 3)
        let rest = try store.blocks(after: first.next, limit: 3)
        #expect(first.items + rest.items == added)
        #expect(rest.next == nil)
    }

    @Test func `blocks that a region makes the same become one`() throws {
        let first = try block(.handle(.phone("030 901820")), "first")
        _ = try block(.handle(.phone("+4930901820")), "second")
        try store.setRegion("DE")
        #expect(try store.blocks().items == [first])
    }

    @Test(arguments: [
        Block.Pattern.handle(.phone("")), .prefix(.phone, " - "), .prefix(.email, ""),
    ])
    func `a pattern that would block everybody is refused`(_ pattern: Block.Pattern) throws {
        let error = code { () throws(StoreError) in
            try store.add(Block(pattern, addedAtMS: 0))
        }
        #expect(error == .invalid)
    }
}

extension Handle.Kind {
    /// One of an app.
    fileprivate var isOwn: Bool {
        if case .other = self { true } else { false }
    }
}

extension Block.Pattern {
    fileprivate var handle: Handle {
        switch self {
        case .handle(let handle): handle
        case .prefix(let kind, let value): Handle(kind: kind, value: value)
        }
    }
}
