import FoundationEssentials

/// The arguments of the program.
struct Options {
    static let usage = """
        usage: callbroker-screen [--port PORT] [--open] [--serve]

        Shows the calls of the broker in a browser: serves the page on 127.0.0.1 until it is
        interrupted, and prints an address that lets one browser in. If it runs already, prints
        an address of the running one.

          --port PORT  the port; the kernel's choice if left out
          --open       opens the browser, too
          --serve      prints no address, for a service: callbroker screen asks for one
          --help       this text

        The broker's socket is BROKER_SOCKET, or $XDG_RUNTIME_DIR/callbroker/broker.sock.
        """

    private(set) var port: UInt16 = 0
    private(set) var opensBrowser = false
    private(set) var isService = false
    private(set) var wantsHelp = false

    /// Returns nil for arguments that are none.
    init?(_ arguments: [String]) {
        var words = arguments[...]
        while let word = words.popFirst() {
            switch word {
            case "--open": opensBrowser = true
            case "--serve": isService = true
            case "--help", "-h": wantsHelp = true
            case "--port":
                guard let number = words.popFirst().flatMap({ UInt16($0) }) else { return nil }
                port = number
            default: return nil
            }
        }
    }
}

/// The places that the environment names.
struct Places {
    let broker: String
    let addresses: String

    /// Returns nil without a runtime folder.
    init?(environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
            return nil
        }
        broker = environment["BROKER_SOCKET"] ?? runtime + "/callbroker/broker.sock"
        addresses = runtime + "/callbroker/screen.sock"
    }
}
