internal import CDBus
internal import Dispatch

/// The connection to the session bus, for the one interface that is used here. libdbus is the bus's
/// own library, and one connection is what a server sends responses to: programs such as `gdbus`
/// and `busctl` would close theirs after each call, and show the text to all users in their
/// arguments.
///
/// Not thread-safe: its owner's queue guards it.
final class SessionBus {
    /// What the server publishes about a notification.
    enum Signal {
        case action(UInt32, String)
        case closed(UInt32, reason: UInt32)
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// For each call, in milliseconds: a server that is started for it needs some time.
    private static let patience: Int32 = 10_000

    private let connection: OpaquePointer
    private var source: (any DispatchSourceRead)?
    /// False once the bus has closed the connection.
    private(set) var isOpen = true

    /// Connects to the session bus; nil if there is none.
    ///
    /// - Parameter onData: called on the queue when the bus has sent something.
    init?(queue: DispatchQueue, onData: @escaping @Sendable () -> Void) {
        guard let connection = dbus_bus_get_private(DBUS_BUS_SESSION, nil) else { return nil }
        self.connection = connection
        dbus_connection_set_exit_on_disconnect(connection, 0)
        dbus_bus_add_match(connection, "type='signal',interface='\(Self.name)'", nil)
        var descriptor: Int32 = -1
        guard dbus_connection_get_unix_fd(connection, &descriptor) != 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onData)
        source.resume()
        self.source = source
    }

    deinit {
        // The source watches the descriptor, which is closed only when it no longer does.
        let connection = Transferred(connection)
        guard let source else { return Self.close(connection) }
        source.setCancelHandler { Self.close(connection) }
        source.cancel()
    }

    private static func close(_ connection: Transferred<OpaquePointer>) {
        dbus_connection_close(connection.value)
        dbus_connection_unref(connection.value)
    }

    // MARK: - Calls

    /// Returns what the server can do; nil if it does not answer.
    func capabilities() -> Set<String>? {
        call("GetCapabilities") { _ in
        } reply: { reply in
            var names: Set<String> = []
            reply.enter { item in
                while let name = item.string() {
                    names.insert(name)
                    item.next()
                }
            }
            return names
        }
    }

    /// Shows a notification, and returns its number.
    func notify(_ card: Card, hasMarkup: Bool) -> UInt32? {
        call("Notify") { arguments in
            arguments.append(ProcessInfo.processInfo.processName)
            arguments.append(card.replaces)
            arguments.append("")
            arguments.append(card.summary)
            arguments.append(hasMarkup ? Self.escaped(card.body) : card.body)
            arguments.append(array: "s") { item in
                for text in card.actions { item.append(text) }
            }
            arguments.append(array: "{sv}") { hints in
                hints.append(hint: "urgency", "y") { $0.append(card.urgency) }
                if card.isSilent { hints.append(hint: "suppress-sound", "b") { $0.append(true) } }
            }
            arguments.append(Int32(-1))
        } reply: {
            $0.number()
        }
    }

    func closeNotification(_ id: UInt32) {
        _ = call("CloseNotification") {
            $0.append(id)
        } reply: { _ in
            ()
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }

    private func call<Result>(
        _ method: String, arguments: (inout MessageIterator) -> Void,
        reply: (inout MessageIterator) -> Result?
    ) -> Result? {
        guard
            let message = dbus_message_new_method_call(Self.name, Self.path, Self.name, method)
        else { return nil }
        defer { dbus_message_unref(message) }
        var iterator = MessageIterator(appendingTo: message)
        arguments(&iterator)
        guard
            let answer = dbus_connection_send_with_reply_and_block(
                connection, message, Self.patience, nil)
        else { return nil }
        defer { dbus_message_unref(answer) }
        var results = MessageIterator(reading: answer)
        return reply(&results)
    }

    // MARK: - Signals

    /// Returns the next signal about a notification that has arrived; nil if there is none.
    func nextSignal() -> Signal? {
        if dbus_connection_read_write(connection, 0) == 0 { isOpen = false }
        while let message = dbus_connection_pop_message(connection) {
            defer { dbus_message_unref(message) }
            if let signal = Self.signal(message) { return signal }
        }
        return nil
    }

    private static func signal(_ message: OpaquePointer) -> Signal? {
        var arguments = MessageIterator(reading: message)
        if dbus_message_is_signal(message, name, "ActionInvoked") != 0 {
            guard let id = arguments.number() else { return nil }
            arguments.next()
            return arguments.string().map { .action(id, $0) }
        }
        if dbus_message_is_signal(message, name, "NotificationClosed") != 0 {
            guard let id = arguments.number() else { return nil }
            arguments.next()
            return arguments.number().map { .closed(id, reason: $0) }
        }
        return nil
    }
}

/// A place in a message of the bus.
struct MessageIterator {
    private var iterator = DBusMessageIter()

    private init() {}

    init(appendingTo message: OpaquePointer) {
        dbus_message_iter_init_append(message, &iterator)
    }

    init(reading message: OpaquePointer) {
        dbus_message_iter_init(message, &iterator)
    }

    // MARK: - Writing

    /// Appends a text without NUL, which the bus does not allow.
    mutating func append(_ text: String) {
        text.replacingOccurrences(of: "\0", with: "").withCString { bytes in
            var pointer: UnsafePointer<CChar>? = bytes
            append("s", &pointer)
        }
    }

    mutating func append(_ number: UInt32) {
        var number = number
        append("u", &number)
    }

    mutating func append(_ number: Int32) {
        var number = number
        append("i", &number)
    }

    mutating func append(_ number: UInt8) {
        var number = number
        append("y", &number)
    }

    mutating func append(_ isTrue: Bool) {
        var number: dbus_bool_t = isTrue ? 1 : 0
        append("b", &number)
    }

    private mutating func append(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) {
        dbus_message_iter_append_basic(&iterator, Int32(type.value), value)
    }

    mutating func append(array signature: String, _ body: (inout MessageIterator) -> Void) {
        append("a", signature, body)
    }

    /// Appends an entry of a dictionary of variants.
    mutating func append(
        hint name: String, _ signature: String, _ body: (inout MessageIterator) -> Void
    ) {
        append("e", nil) { entry in
            entry.append(name)
            entry.append("v", signature, body)
        }
    }

    private mutating func append(
        _ type: Unicode.Scalar, _ signature: String?, _ body: (inout MessageIterator) -> Void
    ) {
        var inner = MessageIterator()
        dbus_message_iter_open_container(
            &iterator, Int32(type.value), signature, &inner.iterator)
        body(&inner)
        dbus_message_iter_close_container(&iterator, &inner.iterator)
    }

    // MARK: - Reading

    /// The text at this place; nil if there is none.
    mutating func string() -> String? {
        guard isAt("s") else { return nil }
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer.map { String(cString: $0) }
    }

    /// The number at this place; nil if there is none.
    mutating func number() -> UInt32? {
        guard isAt("u") else { return nil }
        var number: UInt32 = 0
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }

    mutating func next() {
        dbus_message_iter_next(&iterator)
    }

    /// Reads the items of the array at this place, if there is one.
    mutating func enter(_ body: (inout MessageIterator) -> Void) {
        guard isAt("a") else { return }
        var inner = MessageIterator()
        dbus_message_iter_recurse(&iterator, &inner.iterator)
        body(&inner)
    }

    private mutating func isAt(_ type: Unicode.Scalar) -> Bool {
        dbus_message_iter_get_arg_type(&iterator) == Int32(type.value)
    }
}
