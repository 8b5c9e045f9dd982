internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker policy`: the host's policy.
struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Show or change the policy.",
        subcommands: [Show.self, Change.self], defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the policy.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            session.showPolicy(try session.request(.getPolicy))
        }
    }

    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the policy.",
            discussion: """
                Examples: on_cannot_hold=end, limits.ringing=8, deadlines.start=30000, \
                default_provider.tel=org.example.phone (null removes it). Limits, deadlines and other \
                times are for admins, such as the owner of the socket. "callbroker describe policy.set" \
                lists all members.
                """)

        @Argument(help: "The changes: key=value.", completion: Suggestions.policyKeys)
        var changes: [String]

        @OptionGroup var client: ClientOptions

        func run() throws {
            let row = MethodTable.standard.find(MethodName.setPolicy.rawValue)
            let arguments = ParamArguments(changes, members: row?.params ?? [])
            let params = try arguments.json()
            let session = try client.open([.controller, .admin])
            do throws(ToolFailure) {
                session.showPolicy(try session.request(.setPolicy, params: params))
            } catch {
                throw error.suggesting("unknown_member", arguments.suggestions)
            }
        }
    }
}

extension Session {
    fileprivate func showPolicy(_ reply: borrowing Reply) {
        switch output.form {
        case .table:
            StandardOutput.line(FlatText(reply.result["policy"] ?? reply.result).aligned)
        case .json:
            StandardOutput.line(
                ClientOptions.oneLine(reply.result["policy"] ?? reply.result))
        case .flat:
            StandardOutput.line(FlatText(reply.result["policy"] ?? reply.result).description)
        case .raw: StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
        }
    }
}
