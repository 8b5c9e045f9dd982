import CallClient
import CallModel
import Testing

/// What a broker may say, whether ours does or not.
@Suite(.timeLimit(.minutes(30))) struct ProviderLinkTests {
    private let broker: FakeBroker
    private let socket: LineSocket
    private let link: ProviderLink
    private let diary = Diary()
    private let call = CallID.random()

    init() throws {
        broker = try FakeBroker()
        var options = ClientOptions(name: "test")
        options.socketPath = broker.path
        let diary = diary
        var configuration = ProviderConfiguration.phone
        configuration.takesTransactions = true
        link = try ProviderLink(options, identity: "org.example.a", configuration) { event in
            switch event {
            case .audioActivated: diary.note("audio on")
            case .audioDeactivated: diary.note("audio off")
            case .reset: diary.note("reset")
            case .ended: diary.note("ended")
            case .offered: diary.note("offered")
            case .requested(let request): diary.note("asked \(request.attempt)")
            case .withdrawn: diary.note("withdrawn")
            default: break
            }
        }
        socket = try broker.accept()
        try socket.answer(#"{"granted_roles":["provider","controller"]}"#)
        try socket.answer(#"{"calls":[],"dropped":[]}"#)
    }

    private func tell(_ method: String, _ params: String) throws {
        try socket.send(line: #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    private func ask(_ id: Int, _ action: ActionID, attempt: Int = 1) throws {
        try socket.send(
            line: #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.perform","params":{"#
                + #""action":"\#(action)","kind":"answer","call":"\#(call)","arguments":{},"#
                + #""transaction":"\#(action)","cause":{"origin":"user"},"deadline_ms":5000,"#
                + #""attempt":\#(attempt)}}"#)
    }

    @Test func `a reset takes the audio back first`() async throws {
        let audio = #"{"group":"\#(call)","calls":["\#(call)"]}"#
        try tell("audio.activated", audio)
        try tell("audio.activated", audio)
        try tell("provider.reset", #"{"reason":"broker_reset"}"#)
        #expect(await diary.lines(3) == ["audio on", "audio off", "reset"])
    }

    @Test func `a broker that takes the session away takes the audio back first`() async throws {
        try tell("audio.activated", #"{"group":"\#(call)","calls":["\#(call)"]}"#)
        try tell("broker.goodbye", #"{"reason":"stop","resumable":false}"#)
        #expect(await diary.lines(3) == ["audio on", "audio off", "ended"])
    }

    @Test(arguments: [
        (ActionOutcome.failed(reason: "not_now"), #"{"reason":"not_now"}"#),
        (.ended(EndDetail(.busy)), #"{"reason":"busy"}"#),
        (.ended(EndDetail(code: "SIP 486")), #"{"reason":"busy","app_code":"SIP 486"}"#),
    ])
    func `an app that gives no text has none sent`(outcome: ActionOutcome, data: String)
        async throws
    {
        let action = ActionID(.random())
        try ask(1, action)
        _ = await diary.lines(1)
        link.settle(action, outcome)
        let error = #"{"code":-32000,"message":"","data":\#(data)}"#
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#)
    }

    @Test func `an action gets more time while it is in progress, and not once it is done`()
        async throws
    {
        let action = ActionID(.random())
        try ask(1, action)
        _ = await diary.lines(1)
        link.extend(action, byMS: 4_000)
        link.settle(action, .fulfilled(atMS: nil))
        link.extend(action, byMS: 4_000)
        let more = #""params":{"request":1,"extend_ms":4000}"#
        #expect(
            try socket.line() == #"{"jsonrpc":"2.0","method":"broker.progress",\#(more)}"#)
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        try ask(2, action, attempt: 2)
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
    }

    @Test func `an action that comes again is answered again, and not done again`() async throws {
        let action = ActionID(.random())
        try ask(1, action)
        _ = await diary.lines(1)
        link.settle(action, .fulfilled(atMS: 7))
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":1,"result":{"at_ms":7}}"#)
        try ask(2, action, attempt: 2)
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":2,"result":{"at_ms":7}}"#)
        link.settle(action, .failed(reason: "late"))
        try socket.send(line: #"{"jsonrpc":"2.0","id":3,"method":"broker.ping"}"#)
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":3,"result":{}}"#)
        #expect(diary.lines == ["asked 1"])
    }

    private func offer(_ id: Int, _ transaction: TransactionID, _ action: ActionID) throws {
        try socket.send(
            line: #"{"jsonrpc":"2.0","id":\#(id),"method":"provider.execute","params":{"#
                + #""transaction":"\#(transaction)","actions":[{"action":"\#(action)","#
                + #""kind":"answer","call":"\#(call)","arguments":{}}],"deadline_ms":5000}}"#)
    }

    @Test(arguments: [true, false])
    func `a transaction that is offered again is decided once`(isTaken: Bool) async throws {
        let transaction = TransactionID(.random())
        let action = ActionID(.random())
        try offer(1, transaction, action)
        #expect(await diary.lines(1) == ["offered"])
        link.decide(transaction, isTaken: isTaken)
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":1,"result":{"taken":\#(isTaken)}}"#)
        try offer(2, transaction, action)
        #expect(try socket.line() == #"{"jsonrpc":"2.0","id":2,"result":{"taken":\#(isTaken)}}"#)
        #expect(diary.lines == ["offered"])
    }

    @Test func `an app that takes no transactions refuses an offer`() throws {
        let broker = try FakeBroker()
        var options = ClientOptions(name: "test")
        options.socketPath = broker.path
        let link = try ProviderLink(options, identity: "org.example.b", .phone) { _ in }
        let socket = try broker.accept()
        try socket.answer(#"{"granted_roles":["provider","controller"]}"#)
        try socket.answer(#"{"calls":[],"dropped":[]}"#)
        try socket.send(
            line: #"{"jsonrpc":"2.0","id":1,"method":"provider.execute","params":{"#
                + #""transaction":"\#(call)","actions":[],"deadline_ms":5000}}"#)
        #expect(try socket.line()?.contains(#""id":1,"error":{"code":-32601,"#) == true)
        link.unregister()
    }

    @Test func `an action that is taken back is answered all the same`() async throws {
        try ask(1, ActionID(.random()))
        try tell("broker.cancel", #"{"request":1}"#)
        #expect(try socket.line()?.contains(#""id":1,"error":{"code":-32010,"#) == true)
        #expect(await diary.lines(2) == ["asked 1", "withdrawn"])
    }

    @Test func `a kind that is not known is refused as such`() throws {
        try socket.send(
            line: #"{"jsonrpc":"2.0","id":1,"method":"provider.perform","params":{"#
                + #""action":"\#(call)","kind":"teleport","call":"\#(call)","arguments":{}}}"#)
        #expect(try socket.line()?.contains(#""id":1,"error":{"code":-32601,"#) == true)
    }
}
