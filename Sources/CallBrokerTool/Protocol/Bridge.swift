internal import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

/// `callbroker bridge`: the broker's socket on standard input and output, for ssh.
struct Bridge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bridge",
        abstract: "Connect standard input and output to the broker.",
        discussion: """
            For clients on another host: ssh HOST callbroker bridge. Bytes are passed on unchanged, \
            except to a terminal. At the end of the input, pending replies are still printed.
            """)

    @OptionGroup var connection: ConnectionOptions

    func run() throws {
        try connection.describingErrors { () throws(SocketError) in
            let socket = try BlockingSocket(
                path: connection.place.path, deadline: connection.deadline())
            try socket.relayStandardStreams { Terminal.isOutput ? TerminalText.safe($0) : $0 }
        }
    }
}
