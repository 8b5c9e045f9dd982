internal import ArgumentParser
internal import BrokerSocket
internal import CallProtocol

/// The option for the broker's state folder.
struct StateOption: ParsableArguments {
    @Option(
        name: .customLong("state-dir"), help: "The state folder of the broker.",
        completion: .directory)
    var path: String?

    var folder: String {
        StateFolder(option: path, environment: Environment.current, uid: HostProcess.userID).path
    }
}
