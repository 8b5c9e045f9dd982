import CallBroker
import CallTesting
import Testing

extension MemoryBroker {
    /// A broker whose every frame is audited.
    convenience init(_ change: (inout BrokerConfiguration) -> Void = { _ in }) {
        self.init(tellFault: { Issue.record("\($0)") }, change)
    }

    /// A client whose session is open.
    func ready(_ roles: String..., identity: String? = nil, pid: Int32 = 1) -> MemoryPeer {
        let peer = connect(pid: pid)
        let names = roles.map { #""\#($0)""# }.joined(separator: ",")
        let member = identity.map { #","identity":"\#($0)""# } ?? ""
        _ = peer.ask(Frame.hello(#""roles":[\#(names)]\#(member)"#))
        return peer
    }
}

extension MemoryBroker {
    /// A broker that only reads the journal of this one has come to stand where this one stands.
    func expectThatItsJournalTellsAll() throws {
        #expect(try journalDifferences() == [])
    }
}
