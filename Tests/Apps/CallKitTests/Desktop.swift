import CDBus
import Foundation

@testable import UserNotifications

/// A session bus (a real dbus-daemon) with a server of notifications of the test's own, which prints
/// what it receives and does what a user would.
final class Desktop: @unchecked Sendable {
    let address: String
    private let bus: ChildProcess
    private let connection: OpaquePointer
    private let lines: PipeEnds
    private let reader: PipeReader
    private let lock = NSLock()
    private var choices: [String] = []
    private var isOver = false
    private var last: UInt32 = 0
    private var seen = 0

    private static let name = "org.freedesktop.Notifications"

    init(_ folder: TemporaryFolder) throws {
        address = "unix:path=\(folder.file("bus"))"
        bus = try ChildProcess([
            "/usr/bin/env", "dbus-daemon", "--session", "--nofork", "--nopidfile",
            "--address=\(address)", "--print-address=1",
        ])
        guard try bus.output.wait(for: { $0.contains("\n") }),
            let connection = dbus_connection_open_private(address, nil)
        else { throw CeilingReached(waitedFor: "a session bus") }
        self.connection = connection
        dbus_bus_register(connection, nil)
        dbus_connection_set_exit_on_disconnect(connection, 0)
        dbus_bus_request_name(connection, Self.name, 0, nil)
        lines = try PipeEnds()
        reader = PipeReader(lines.reader)
        Thread.detachNewThread { self.serve() }
    }

    func close() {
        lock.withLock { isOver = true }
    }

    /// Has the user do something: the number of a notification, and an action or `dismissed`.
    func choose(_ line: String) {
        lock.withLock { choices.append(line) }
    }

    /// Waits for a text, behind what was waited for before.
    func wait(for text: String) throws {
        var found: Range<String.Index>?
        let hasCome = try reader.wait { [seen] output in
            let rest = output.index(output.startIndex, offsetBy: seen)
            found = output.range(of: text, range: rest..<output.endIndex)
            return found != nil
        }
        guard hasCome, let found else {
            throw CeilingReached(waitedFor: "\(text) in: \(reader.text)")
        }
        seen = reader.text.distance(from: reader.text.startIndex, to: found.upperBound)
    }

    // MARK: - The server, on a thread of its own

    private func serve() {
        while !lock.withLock({ isOver }), dbus_connection_read_write(connection, 20) != 0 {
            while let message = dbus_connection_pop_message(connection) {
                defer { dbus_message_unref(message) }
                if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL {
                    answer(message)
                }
            }
            let now = lock.withLock {
                defer { choices = [] }
                return choices
            }
            for choice in now { signal(choice) }
        }
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    private func answer(_ message: OpaquePointer) {
        guard let reply = dbus_message_new_method_return(message) else { return }
        defer { dbus_message_unref(reply) }
        var result = MessageIterator(appendingTo: reply)
        switch dbus_message_get_member(message).map({ String(cString: $0) }) {
        case "GetCapabilities":
            result.append(array: "s") { item in
                for ability in ["body", "body-markup", "actions"] { item.append(ability) }
            }
        case "Notify": result.append(notify(message))
        default:
            var arguments = MessageIterator(reading: message)
            say("closes \(arguments.number() ?? 0)")
        }
        dbus_connection_send(connection, reply, nil)
        dbus_connection_flush(connection)
    }

    private func notify(_ message: OpaquePointer) -> UInt32 {
        var arguments = MessageIterator(reading: message)
        arguments.next()
        let replaced = arguments.number() ?? 0
        for _ in 1...2 { arguments.next() }
        let summary = arguments.string() ?? ""
        arguments.next()
        let body = arguments.string() ?? ""
        arguments.next()
        var words: [String] = []
        arguments.enter { item in
            while let word = item.string() {
                words.append(word)
                item.next()
            }
        }
        last += replaced == 0 ? 1 : 0
        let buttons = stride(from: 2, to: words.count, by: 2).map {
            "\(words[$0])=\"\(words[$0 + 1])\""
        }
        say("shows \"\(summary)\" \"\(body)\" \(buttons.joined(separator: " "))")
        return replaced == 0 ? last : replaced
    }

    private func signal(_ choice: String) {
        let words = choice.split(separator: " ").map(String.init)
        let isDismissed = words[1] == "dismissed"
        guard
            let message = dbus_message_new_signal(
                "/org/freedesktop/Notifications", Self.name,
                isDismissed ? "NotificationClosed" : "ActionInvoked")
        else { return }
        defer { dbus_message_unref(message) }
        var arguments = MessageIterator(appendingTo: message)
        arguments.append(UInt32(words[0]) ?? 0)
        if isDismissed { arguments.append(UInt32(2)) } else { arguments.append(words[1]) }
        dbus_connection_send(connection, message, nil)
        dbus_connection_flush(connection)
    }

    private func say(_ line: String) {
        _ = (line + "\n").withCString { write(lines.writer, $0, strlen($0)) }
    }
}
