import ArgumentParser
import Testing

@testable import CallBrokerTool

/// The commands of the tool.
struct CallBrokerToolTests {
    /// A name that the library makes of that of the type costs four searches through the
    /// conformances of the whole program, at each start and for each command.
    @Test func `each command says its own name`() {
        let commands = Self.commands(of: CallBrokerTool.self)
        #expect(commands.count > 100)
        for command in commands {
            #expect(command.configuration.commandName != nil, "\(command)")
        }
    }

    private static func commands(
        of command: any ParsableCommand.Type
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(of: $0) }
    }
}
