internal import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

/// `callbroker bridge`: the broker's socket on standard input and output, for ssh.
struct Bridge: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect standard input and output with the broker.",
        discussion: """
            For clients on another host: ssh HOST callbroker bridge. Bytes go through as they are, except to a terminal; \
            the end of the input is passed on, and what the broker still answers comes out.
            """)

    @OptionGroup var connection: ConnectionOptions

    func run() throws {
        try connection.explaining { () throws(SocketError) in
            let socket = try BlockingSocket(
                path: connection.place.path, deadline: connection.deadline())
            try socket.relayStandardStreams { Terminal.isOutput ? TerminalText.safe($0) : $0 }
        }
    }
}
