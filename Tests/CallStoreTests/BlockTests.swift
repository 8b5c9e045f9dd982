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
        #expect(try store.block(matching: .generic("+442079460018")) == nil)
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

extension Block.Pattern {
    fileprivate var handle: Handle {
        switch self {
        case .handle(let handle): handle
        case .prefix(let kind, let value): Handle(kind: kind, value: value)
        }
    }
}
