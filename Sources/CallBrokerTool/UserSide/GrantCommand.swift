internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker grant`: credentials for programs of other users and of containers.
struct GrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Let programs of other users, or of containers, connect.",
        subcommands: [Show.self, Issue.self, Revoke.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the grants.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            try session.showList(.listGrants, "grants") { grants in
                guard !grants.isEmpty else { return Messages.emptyGrants }
                return TextTable(
                    [
                        .text(Messages.headingName), .text(Messages.headingUser),
                        .text(Messages.headingRoles), .text(Messages.headingSees),
                        .plain(Messages.headingUntil), .plain(Messages.headingConnections),
                    ],
                    grants.map { Self.row($0, nowMS: session.nowMS) }
                ).description
            }
        }

        private static func row(_ grant: JSONValue, nowMS: Int64) -> [String] {
            let sight = [
                grant["calls"]?.string == "own" ? Messages.grantOwnCalls : Messages.grantAllCalls,
                grant["redacted"]?.boolean == false ? Messages.grantNames : Messages.grantNoNames,
            ]
            return [
                grant["name"]?.string?.printable ?? "",
                grant["uid"]?.integer.map(String.init) ?? "",
                grant["roles"]?.elements.compactMap(\.string).joined(separator: " ") ?? "",
                sight.joined(separator: ", "),
                grant["expires_at_ms"]?.integer.map { RelativeTime.day(unixMS: $0, nowMS: nowMS) }
                    ?? "",
                grant["connections"]?.integer.map(String.init) ?? "",
            ]
        }
    }

    struct Issue: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "issue",
            abstract: "Issue a credential.",
            discussion: """
                The credential is shown this once: give it to the program, as the member credential \
                of its hello. Without options the program may observe calls, and sees no numbers \
                and names.
                """)

        @Argument(help: "A name of your choice, to revoke it by.") var name: String
        @Option(help: "The only user who may use it, as a number.") var uid: UInt32?
        @Option(help: "The only identity that may use it.") var identity: String?
        @Option(help: "A role that the program may have: provider, controller, observer, ui.")
        var role: [String] = []
        @Flag(help: "The program sees its own calls only.") var ownCalls = false
        @Flag(help: "The program sees numbers and names.") var names = false
        @Option(
            name: .customLong("for"),
            help: "When it ends, \(TimeSpan.forms); without this, when it is revoked.",
            transform: { try TimeSpan(option: $0, .minutes) })
        var span: TimeSpan?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            let reply = try session.request(.issueGrant) { writer in
                writer.member("name", name)
                if let uid { writer.member("uid", Int(uid)) }
                writer.member("identity", ifSet: identity)
                if !role.isEmpty { writer.member("roles", words: role) }
                if ownCalls { writer.member("calls", "own" as StaticString) }
                if names { writer.member("redacted", false) }
                if let span { writer.member("expires_in_ms", span.milliseconds) }
            }
            session.show(reply) { $0["credential"]?.string?.printable ?? "" }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke a grant, and close the connections of its programs at once.")

        @Argument(help: "Its name.") var name: String
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.admin)
            let reply = try session.request(.revokeGrant) { $0.member("name", name) }
            guard reply.result["revoked"]?.boolean ?? false else {
                throw ToolFailure(.errorReply, Messages.grantUnknown(name: name.printable))
            }
            session.show(reply) { _ in Messages.grantRevoked }
        }
    }
}
