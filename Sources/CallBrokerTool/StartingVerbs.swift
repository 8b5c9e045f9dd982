internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker start`: a new call, to an address of a known kind.
struct Start: AskingCommand {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case phone, email, generic
    }

    static let configuration = CommandConfiguration(
        abstract: "Call somebody.",
        discussion: "The kind of the address is guessed unless it is said.")

    @Argument(help: "The number or address.")
    var address: String

    @Option(help: "What the address is.")
    var type: Kind?

    @OptionGroup var new: NewCallOptions

    @Flag(help: "An emergency call, if the provider and the policy allow it.")
    var emergency = false

    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) -> Question {
        Question(.start) { writer in
            writer.name("remote")
            writer.object { writer in
                writer.member("type", kind.rawValue)
                writer.member("value", address)
            }
            if emergency { writer.member("emergency", true) }
            new.write(to: &writer)
        }
    }

    private var kind: Kind {
        if let type { return type }
        if address.contains("@") { return address.contains(":") ? .generic : .email }
        return address.isNumber ? .phone : .generic
    }
}

/// `callbroker dial`: a new call, to an address with its scheme, as in a link.
struct Dial: AskingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call an address such as tel:+15550123 or sip:ada@example.org.",
        discussion: "A number without a scheme is taken as tel:.")

    @Argument(help: "The address, with its scheme.")
    var uri: String

    @OptionGroup var new: NewCallOptions
    @OptionGroup var asking: AskingOptions

    func question(_ session: Session) throws -> Question {
        let uri = try whole
        return Question(.dial) { writer in
            writer.member("uri", uri)
            new.write(to: &writer)
        }
    }

    /// The address with its scheme: for a number there is only one.
    private var whole: String {
        get throws {
            if uri.contains(":") { return uri }
            if uri.isNumber { return "tel:" + uri }
            throw ToolFailure(
                code: .usage,
                message: """
                    callbroker: "\(uri.printable)" has no scheme, such as sip:\(uri.printable); \
                    without one: callbroker start \(uri.printable)
                    """)
        }
    }
}

extension String {
    /// Whether it can be the number of a telephone, as people write it.
    fileprivate var isNumber: Bool {
        contains { $0.isNumber } && allSatisfy { $0.isNumber || "+-.() *#".contains($0) }
    }
}

/// What a new call is to be.
struct NewCallOptions: ParsableArguments {
    @Option(help: "The app whose call it becomes, if several could place it.")
    var provider: String?

    @Flag(help: "Begin with video.")
    var video = false

    @Option(name: .customLong("id"), help: "The id of the new call (a UUID); made if left out.")
    var call: String?

    /// We choose the id, at random: one that the broker makes is hard to name by its beginning.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("call", call ?? RandomCallID.make())
        writer.member("provider", ifSet: provider)
        if video { writer.member("has_video", true) }
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
