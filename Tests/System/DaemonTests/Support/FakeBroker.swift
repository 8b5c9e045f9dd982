import Glibc

/// A listening socket that says to a client what the test wants it to hear.
final class FakeBroker {
    static let epoch = "6f3c2f0e-6d0c-4d6a-9f0a-0c4b1f0d7a11"

    let path: String
    private let folder: TemporaryFolder
    private let listener: Int32

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("fake.sock")
        listener = try UnixSocket.listening(on: path)
    }

    deinit {
        close(listener)
    }

    func accept() throws -> LineSocket {
        LineSocket(try acceptConnection(on: listener))
    }
}

extension LineSocket {
    func send(line: String) throws {
        try send(Array(line.utf8) + [0x0A])
    }

    /// Reads one request and answers it.
    /// - Returns: its params.
    @discardableResult
    func answer(_ result: String) throws -> JSON {
        let request = try JSON(line() ?? "")
        try send(line: #"{"jsonrpc":"2.0","id":\#(request["id"] ?? .null),"result":\#(result)}"#)
        return request["params"] ?? .null
    }

    /// Answers hello and events.subscribe.
    /// - Returns: the params of the subscription.
    func acceptSubscription(seq: Int = 40, isResync: Bool = false) throws -> JSON {
        try answer("{}")
        let members = #""epoch":"\#(FakeBroker.epoch)","seq":\#(seq),"resync":\#(isResync)"#
        return try answer(#"{"subscription":1,\#(members)}"#)
    }

    func send(event params: String) throws {
        try send(line: #"{"jsonrpc":"2.0","method":"event","params":\#(params)}"#)
    }
}
