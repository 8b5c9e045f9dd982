internal import ArgumentParser

/// `callbroker phone`: the calls of all apps in a terminal.
struct PhoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "Show and drive all calls in this terminal, with keys and the mouse.",
        discussion: "It is installed with: make install. Inside, ? lists the keys.")

    @Option(help: "Path of the broker's socket.", completion: .file())
    var socket: String?

    func run() throws {
        try ScreenProgram.replaceTool("callbroker-phone", socket: socket)
    }
}
