internal import ArgumentParser

/// `callbroker screen`: the calls of all apps in a browser.
struct ScreenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Show and drive all calls in a browser.",
        discussion: """
            Serves the page on 127.0.0.1 until it is interrupted. If it is served already, as by \
            the unit callbroker-screen, opens that one. It is installed with: make install.
            """)

    @Option(help: "The port; the kernel's choice if left out.") var port: UInt16?

    @Flag(name: .customLong("print"), help: "Print the address, and open no browser.")
    var isOnlyPrinted = false

    @Option(help: "Path of the broker's socket.", completion: .file())
    var socket: String?

    func run() throws {
        let arguments = port.map { ["--port", String($0)] } ?? []
        try ScreenProgram.replaceTool(
            "callbroker-screen", arguments + (isOnlyPrinted ? [] : ["--open"]), socket: socket)
    }
}
