import AVFoundation
import CallClient
import CallModel
import Testing

@testable import CallKit

/// A broker, played by the test, that goes away in one way or another.
extension SemanticsTests {
    @Suite struct LostBrokerTests {
        private let broker: PlayedBroker
        private static let call = "0d15ea5e-0000-4000-8000-000000000001"

        init() throws {
            broker = try PlayedBroker()
        }

        /// Lets a provider in; what it registered.
        @discardableResult
        private func letIn(_ socket: LineSocket, dropping: String = "") throws -> JSON {
            try socket.answer(#"{"granted_roles":["provider","controller"]}"#)
            return try socket.answer(#"{"calls":[],"dropped":[\#(dropping)]}"#)
        }

        /// An app that has registered: its provider waits for the broker, so somebody else plays it.
        private func app(keeps: [AnyClass] = []) async throws -> (App, LineSocket) {
            let made = Aside { App(keeps: keeps) }
            let socket = try broker.accept()
            try letIn(socket)
            return (try await made.value, socket)
        }

        private func tell(_ socket: LineSocket, _ method: String, _ params: String) throws {
            try socket.send(line: #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
        }

        private func ring(_ app: App, _ socket: LineSocket) async throws {
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .phoneNumber, value: "+15550101")
            let call = try #require(UUID(uuidString: Self.call))
            let told = Diary()
            app.provider.reportNewIncomingCall(with: call, update: update) { error in
                told.note(error == nil ? "rings" : "refused")
            }
            try socket.answer(#"{"call":"\#(Self.call)","state":"ringing","presentation":"ring"}"#)
            #expect(await told.lines(1) == ["rings"])
        }

        private func askToAnswer(_ socket: LineSocket) throws {
            try socket.send(
                line: #"{"jsonrpc":"2.0","id":1,"method":"provider.perform","params":{"action":"#
                    + #""\#(Self.call)","kind":"answer","call":"\#(Self.call)","arguments":{},"#
                    + #""transaction":"\#(Self.call)","cause":{"origin":"user"},"#
                    + #""deadline_ms":5000,"attempt":1}}"#)
        }

        @Test func `2.8.1 after a reset all calls are gone, and nothing is to be answered`()
            async throws
        {
            let (app, socket) = try await app(keeps: [CXAnswerCallAction.self])
            try await ring(app, socket)
            try askToAnswer(socket)
            _ = await app.lines(2)
            try tell(socket, "audio.activated", #"{"group":"\#(Self.call)","calls":[]}"#)
            try tell(socket, "provider.reset", #"{"reason":"broker_reset"}"#)
            #expect(await app.lines(5).suffix(3) == ["audio on", "audio off", "reset"])
            #expect(app.open[0].isComplete)
            #expect(app.provider.pendingTransactions == [])
            // The provider is one still.
            try await ring(app, socket)
        }

        @Test func `2.8.2 a lost broker is found again, and told which calls there are`()
            async throws
        {
            var (app, first): (App, LineSocket?) = try await app()
            try await ring(app, try #require(first))
            first = nil
            let second = try broker.accept()
            let registration = try letIn(second)
            #expect(
                registration["calls"]?.elements?.compactMap { $0["call"]?.string } == [Self.call])
            #expect(app.diary.lines == [])
        }

        @Test func `2.8.3 a call that a new broker has no place for is ended`() async throws {
            var (app, first): (App, LineSocket?) = try await app()
            try await ring(app, try #require(first))
            first = nil
            let second = try broker.accept()
            try letIn(second, dropping: #""\#(Self.call)""#)
            #expect(await app.lines(1) == ["end"])
        }

        @Test func `2.8.4 a broker that ends the session for good resets the provider`()
            async throws
        {
            let (app, socket) = try await app()
            try await ring(app, socket)
            try tell(socket, "broker.goodbye", #"{"reason":"stop","resumable":false}"#)
            #expect(await app.lines(1) == ["reset"])
            await #expect {
                try await CXCallController().request(
                    CXTransaction(action: CXEndCallAction(call: UUID())))
            } throws: {
                code($0) == 2
            }
        }

        @Test func `2.7.2 with its provider an app loses the audio, at once`() async throws {
            let queue = DispatchQueue(label: "busy")
            let made = Aside { App(queue: queue) }
            let socket = try broker.accept()
            try letIn(socket)
            let app = try await made.value
            try tell(socket, "audio.activated", #"{"group":"\#(Self.call)","calls":[]}"#)
            #expect(await app.lines(1) == ["audio on"])
            let session = AVAudioSession.sharedInstance()
            #expect(throws: Never.self) { try session.setActive(true) }
            // What it would be told comes too late.
            queue.suspend()
            let ending = Aside { app.provider.invalidate() }
            while try socket.line() != nil {}
            try await ending.value
            #expect(throws: NSError.self) { try session.setActive(true) }
            queue.resume()
        }

        @Test func `2.8.5 after invalidate nothing is told, whatever was on its way`() async throws
        {
            let queue = DispatchQueue(label: "late")
            let made = Aside { App(queue: queue) }
            let socket = try broker.accept()
            try letIn(socket)
            let app = try await made.value
            try await ring(app, socket)
            queue.suspend()
            try askToAnswer(socket)
            try tell(socket, "audio.activated", #"{"group":"\#(Self.call)","calls":[]}"#)
            try tell(socket, "provider.reset", #"{"reason":"admin"}"#)
            // A ping is answered when all before it has been read.
            try socket.send(line: #"{"jsonrpc":"2.0","id":7,"method":"broker.ping"}"#)
            while try socket.line()?.contains(#""id":7"#) == false {}
            let ending = Aside { app.provider.invalidate() }
            while try socket.line() != nil {}
            try await ending.value
            queue.resume()
            await withCheckedContinuation { done in queue.async { done.resume() } }
            #expect(app.diary.lines == [])
        }
    }
}
