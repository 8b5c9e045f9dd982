import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    final class BlockingSocketTests {
        private let folder: TemporaryFolder
        private let listener: Listener
        private let soon = MonotonicTime.now().advanced(milliseconds: 60_000)

        init() throws {
            folder = try TemporaryFolder()
            listener = try Listener(path: folder.file("broker.sock"))
        }

        deinit {
            listener.shutDown()
        }

        @Test func `a line may come in several pieces, and several in one`() throws {
            let (client, broker) = try connect()
            broker.send("fir")
            #expect(throws: timedOut) { try client.receiveLine(deadline: .zero) }
            broker.send("st\nsecond\r\n\nthi")
            #expect(try line(client) == "first")
            #expect(try line(client) == "second\r")
            #expect(try line(client) == "")
            #expect(client.rest == Array("thi".utf8))
            broker.send("rd\n")
            #expect(try line(client) == "third")
            #expect(client.rest == [])
        }

        @Test func `a line longer than one read is put together`() throws {
            let (client, broker) = try connect()
            let long = [UInt8](repeating: UInt8(ascii: "x"), count: 150_000)
            #expect(broker.send(long) == long.count)
            broker.send("\n")
            #expect(try client.receiveLine(deadline: soon) == long)
        }

        @Test func `the end of the stream is no line, and what was left can be had`() throws {
            let (client, broker) = try connect()
            broker.send("whole\npart")
            broker.close()
            #expect(try line(client) == "whole")
            #expect(try line(client) == nil)
            #expect(client.rest == Array("part".utf8))
            #expect(try line(client) == nil)
        }

        @Test func `what is sent arrives, and so does its end`() throws {
            let (client, broker) = try connect()
            try client.send(Array("question\n".utf8), deadline: soon)
            client.endOutput()
            #expect(broker.readText() == "question\n")
            #expect(broker.isAtEnd)
            broker.send("answer\n")
            #expect(try line(client) == "answer")
        }

        @Test func `nobody waits beyond the deadline`() throws {
            let (client, broker) = try connect()
            #expect(throws: timedOut) { try client.receiveLine(deadline: .zero) }
            let much = [UInt8](repeating: 0, count: 4 << 20)
            #expect(throws: timedOut) { try client.send(much, deadline: .zero) }
            #expect(broker.readAll().count > 0)
        }

        @Test func `a line that never ends is not listened to beyond the deadline`() throws {
            let (client, broker) = try connect()
            let much = [UInt8](repeating: UInt8(ascii: "x"), count: 150_000)
            #expect(broker.send(much) == much.count)
            #expect(throws: timedOut) { try client.receiveLine(deadline: .zero) }
            // One look for what came in time.
            #expect(client.rest.count == 65_536)
            #expect(throws: timedOut) { try client.receiveLine(deadline: .zero) }
            #expect(client.rest.count == 65_536)
            broker.send("\n")
            #expect(try client.receiveLine(deadline: soon) == much)
        }

        @Test func `sending to a broker that is gone is an error, not a signal`() throws {
            let (client, broker) = try connect()
            broker.close()
            #expect(throws: SocketError(.system, "cannot send to the broker: Broken pipe")) {
                try client.send([1], deadline: soon)
            }
        }

        @Test func `a path that nobody serves is told from one that cannot be used`() throws {
            let path = folder.file("other.sock")
            #expect(
                throws: SocketError(.noListener(path: path, reason: "No such file or directory"))
            ) {
                _ = try BlockingSocket(path: path, deadline: soon)
            }
            folder.write("", to: "other.sock")
            #expect(
                throws: SocketError(.noListener(path: path, reason: "Connection refused"))
            ) {
                _ = try BlockingSocket(path: path, deadline: soon)
            }
            #expect(
                throws: SocketError(.noListener(path: path + "/x", reason: "Not a directory"))
            ) {
                _ = try BlockingSocket(path: path + "/x", deadline: soon)
            }
            let error = #expect(throws: SocketError.self) {
                _ = try BlockingSocket(path: "", deadline: soon)
            }
            #expect(error?.kind == .unusable)
        }

        @Test func `a broker that does not accept is waited for until the deadline`() throws {
            listen(listener.descriptor, 0)
            let path = folder.file("broker.sock")
            let first = try BlockingSocket(path: path, deadline: .zero)
            #expect(throws: SocketError(.notAccepting(path: path))) {
                _ = try BlockingSocket(path: path, deadline: .zero)
            }
            first.endOutput()
        }

        private func connect() throws -> (client: BlockingSocket, broker: SocketPeer) {
            let client = try BlockingSocket(path: listener.path, deadline: soon)
            let descriptor = accept(listener.descriptor, nil, nil)
            try #require(descriptor >= 0)
            return (client, SocketPeer(descriptor: descriptor))
        }

        private func line(_ client: BlockingSocket) throws -> String? {
            try client.receiveLine(deadline: soon).map { String(decoding: $0, as: UTF8.self) }
        }

        private var timedOut: SocketError {
            SocketError(.noReply)
        }
    }
}
