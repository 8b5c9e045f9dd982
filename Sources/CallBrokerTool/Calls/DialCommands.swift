internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker start`: a new call, to an address of a known kind.
struct Start: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start a call.",
        discussion: "The type of the address is guessed unless --type is given.")

    @Argument(help: "The number or address.")
    var address: String

    @Option(help: "The type of the address.")
    var type: AddressKind?

    @OptionGroup var new: NewCallOptions

    @Flag(help: "Mark the call as an emergency, if the policy allows it.")
    var emergency = false

    @Flag(help: "Mark the call as one that makes way for all others.")
    var background = false

    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let provider = try new.provider.map(session.providerName)
        return ActionRequest(.start) { writer in
            writer.member("remote", address: address, type)
            if emergency { writer.member("emergency", true) }
            if background { writer.member("background", true) }
            new.write(by: provider, to: &writer)
        }
    }
}

/// The type of an address.
enum AddressKind: String, CaseIterable, ExpressibleByArgument {
    case phone, email, generic

    /// Guesses the type from the form of an address.
    init(suggesting address: String) {
        if address.contains("@") {
            self = address.contains(":") ? .generic : .email
        } else {
            self = address.isNumber ? .phone : .generic
        }
    }
}

extension JSONWriter {
    /// A handle.
    mutating func member(_ name: StaticString, address: String, _ kind: AddressKind?) {
        self.name(name)
        value(address: address, kind)
    }

    mutating func value(address: String, _ kind: AddressKind? = nil) {
        object { writer in
            writer.member("type", (kind ?? AddressKind(suggesting: address)).rawValue)
            writer.member("value", address)
        }
    }
}

/// `callbroker dial`: a new call, to an address with its scheme, as in a link, or to a contact.
struct Dial: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "dial",
        abstract: "Call a contact, or an address such as tel:+15550123 or sip:ada@example.org.",
        discussion: """
            A number without a scheme is dialed as tel:. Any other text without one is the name of \
            a contact, or a part of it.
            """)

    @Argument(
        help: "The address, with its scheme, or the name of a contact.",
        completion: Suggestions.contacts)
    var uri: String

    @OptionGroup var new: NewCallOptions
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let uri = try session.link(of: uri)
        let provider = try new.provider.map(session.providerName)
        return ActionRequest(.dial) { writer in
            writer.member("uri", uri)
            new.write(by: provider, to: &writer)
        }
    }
}

extension Session {
    /// Returns an address with its scheme: one that has it, a number, or that of a contact.
    func link(of words: String) throws -> String {
        if words.contains(":") { return words }
        if words.isNumber { return "tel:" + words }
        if let link = try link(ofContact: words) { return link }
        throw ToolFailure(.usage, Messages.callNoAddress(words: words.printable))
    }
}

extension String {
    /// True if the text looks like a telephone number as people write it.
    fileprivate var isNumber: Bool {
        contains { $0.isNumber } && allSatisfy { $0.isNumber || "+-.() *#".contains($0) }
    }
}

/// The options of a new call.
struct NewCallOptions: ParsableArguments {
    @Option(
        help: "The app that places the call, or a part of its identity.",
        completion: Suggestions.providers)
    var provider: String?

    @Option(help: "The line that places the call; \"callbroker providers\" lists them.")
    var line: String?

    @Flag(help: "Start with video.")
    var video = false

    @Flag(help: "Start with real-time text.")
    var text = false

    @Option(name: .customLong("id"), help: "The id of the new call (a UUID). Default: random.")
    var call: String?

    /// Writes the members of the new call. The id is random: one that the broker makes is hard to
    /// name by its start.
    fileprivate func write(by provider: String?, to writer: inout JSONWriter) {
        writer.member("call", call ?? RandomCallID.make())
        writer.member("provider", ifSet: provider)
        writer.member("line", ifSet: line)
        if video { writer.member("has_video", true) }
        if text { writer.member("has_text", true) }
    }
}

enum RandomCallID {
    /// A random UUID (version 4).
    static func make() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { byte in
            String(byte >> 4, radix: 16) + String(byte & 0x0F, radix: 16)
        }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
            .joined(separator: "-")
    }
}
