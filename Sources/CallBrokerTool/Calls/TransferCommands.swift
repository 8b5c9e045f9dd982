internal import ArgumentParser
internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// `callbroker transfer`.
struct Transfer: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Transfer a call to an address or a contact, and leave it.")

    @Argument(help: AddressArgument.help, completion: Suggestions.contacts) var to: String
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneToTransfer, several: Messages.callSeveralToTransfer,
            verbs: ["transfer"], before: ["active"])
        return try AddressArgument(to).request(.transfer, call, candidates, session)
    }
}

/// `callbroker attended-transfer`.
struct AttendedTransfer: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "attended-transfer",
        abstract: "Join the people of two calls with each other, and leave both calls.",
        discussion: "An argument may be left out if only one call is possible.")

    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @Argument(help: "The call with the other person.", completion: Suggestions.calls) var with:
        String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates(
            none: Messages.callNoneToJoin, several: Messages.callSeveralToJoin,
            verbs: ["attended_transfer"], needed: Messages.callNeededToJoin)
        let pair = try CallChooser(session).choosePair(call, with, candidates)
        return ActionRequest(.attendedTransfer) { writer in
            writer.member("call", pair.call)
            writer.member("with", pair.with)
        }
    }
}

/// `callbroker deflect`.
struct Deflect: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "deflect",
        abstract: "Send a ringing call to an address or a contact, without answering it.")

    @Argument(help: AddressArgument.help, completion: Suggestions.contacts) var to: String
    @Argument(help: CallArgument.help, completion: Suggestions.calls) var call: String?
    @OptionGroup var actionOptions: ActionOptions

    func makeRequest(_ session: Session) throws -> ActionRequest {
        let candidates = Candidates.incoming(
            none: Messages.callNoneToDeflect, several: Messages.callSeveralToDeflect, ["deflect"])
        return try AddressArgument(to).request(.deflect, call, candidates, session)
    }
}

/// The address of a new party: with its scheme, a number, or the name of a contact.
struct AddressArgument {
    static let help: ArgumentHelp =
        "The address, such as tel:+15550123 or sip:ada@example.org, a number, or the name of a contact."

    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func request(
        _ method: MethodName, _ call: String?, _ candidates: Candidates, _ session: Session
    ) throws -> ActionRequest {
        let address = Handle(link: try session.link(of: text))
        let call = try CallChooser(session).choose(call, candidates)
        return ActionRequest(method) { writer in
            writer.member("call", call)
            writer.member("to", address)
        }
    }
}

extension Handle {
    /// The address in a link: a number or an email address without its scheme, anything else whole.
    init(link: String) {
        let address = String(link.drop { $0 != ":" }.dropFirst())
        switch link.prefix(while: { $0 != ":" }).lowercased() {
        case "tel": self.init(kind: .phone, value: address)
        case "mailto": self.init(kind: .email, value: address)
        default: self.init(kind: .generic, value: link)
        }
    }
}
