import Testing

struct BannedCallTests {
    /// A piece of text that may not occur in the sources, and the files that may have it.
    struct Ban: Sendable {
        let text: String
        let why: String
        var exceptions: Set<String> = []
        /// The modules beside CallKit may have it: they have no part in the daemon, and apps expect
        /// Foundation, its queues and its open classes of them.
        var isForApps = false

        /// Whether a line has the text, other than in the name of a function of our own.
        func isBroken(by line: String) -> Bool {
            line.contains(text) && !line.contains("func" + text)
        }
    }

    private static let appTargets: Set = [
        "AVFAudio", "AVFoundation", "AppSources", "Combine", "Intents", "LiveCommunicationKit",
        "PushKit", "Selectors", "UIKit",
        "UnifiedLogging", "UserNotifications",
    ]

    static let bans = [
        Ban(text: "try!", why: "a failure would stop the daemon"),
        Ban(text: " as! ", why: "a wrong type would stop the daemon"),
        Ban(text: "fatalError(", why: "bad input must not stop anything"),
        Ban(text: "print(", why: "standard output belongs to the tool, which writes at once"),
        Ban(
            text: "import Foundation", why: "it costs the daemon megabytes",
            exceptions: [
                // The daemon has no part in these: they are for apps, which expect it.
                "Sources/CallKit/Internal/Exports.swift"
            ], isForApps: true),
        Ban(
            text: "Task {", why: "one thread, one loop",
            exceptions: [
                // What the broker asks an app, on the app's own threads.
                "Sources/CallClient/Link/RequestTasks.swift",
                "Sources/CallClient/Provider/CallProvider.swift",
                "Sources/CallKit/Calls/CXProvider+StartIntents.swift",
                "Sources/CallKit/Internal/HostAudio.swift",
            ], isForApps: true),
        Ban(
            text: "DispatchQueue", why: "one thread, one loop",
            exceptions: [
                // Apps say where their delegates are called.
                "Sources/CallKit/Calls/CXCallController.swift",
                "Sources/CallKit/Directory/CXCallDirectoryManager.swift",
                "Sources/CallKit/Calls/CXCallObserver.swift",
                "Sources/CallKit/Calls/CXProvider.swift",
                "Sources/CallKit/Internal/Exports.swift",
            ], isForApps: true),
        Ban(text: "sleep(", why: "the loop waits, nobody else"),
        Ban(
            text: "O_RDONLY", why: "PlainFile opens files, and waits for nobody",
            exceptions: [
                // Folders, and what a user of the tool named.
                "Sources/BrokerSocket/Files/FolderTree.swift",
                "Sources/BrokerSocket/Files/HostFile.swift",
                // /dev/null.
                "Sources/BrokerSocket/Processes/ChildProgram.swift",
                "Sources/BrokerSocket/Processes/ChildProcess.swift",
                // Folders of the kernel's.
                "Sources/BrokerSocket/Processes/ControlGroups.swift",
            ]),
        Ban(
            text: "O_WRONLY", why: "PlainFile opens files, and waits for nobody",
            exceptions: [
                "Sources/BrokerSocket/Files/FolderTree.swift",
                "Sources/BrokerSocket/Files/HostFile.swift",
                // Files of the kernel's.
                "Sources/BrokerSocket/Processes/ControlGroups.swift",
            ]),
        Ban(
            text: "O_RDWR", why: "PlainFile opens files, and waits for nobody",
            exceptions: [
                "Sources/BrokerSocket/Files/AppendFile.swift",
                "Sources/BrokerSocket/Files/FileLock.swift",
                // Pipes of its own.
                "Sources/BrokerSocket/Processes/TransientServices.swift",
                // /dev/null.
                "Sources/BrokerSocket/Processes/ChildProgram.swift",
            ]),
        Ban(
            text: "STDOUT_FILENO", why: "StandardOutput is what makes text fit for a terminal",
            exceptions: [
                "Sources/BrokerSocket/Sockets/BlockingSocket+Relay.swift",
                "Sources/CallBrokerTool/Output/Terminal.swift",
            ]),
        Ban(
            text: "writeToStandardError(",
            why: "StandardError is what makes text fit for a terminal",
            exceptions: [
                "Sources/BrokerSocket/Files/HostFile.swift",
                "Sources/CallBrokerTool/Output/StandardError.swift",
            ]),
        Ban(
            text: "fputs(", why: "StandardOutput is what makes text fit for a terminal"),
        Ban(text: "nonisolated(unsafe)", why: "nothing needs it", isForApps: true),
        Ban(
            text: "@unchecked Sendable", why: "nothing else needs it",
            exceptions: [
                // Open classes of Foundation's kind, each with a lock; what they hand to a queue.
                "Sources/CallKit/Directory/CXCallDirectoryManager.swift",
                "Sources/CallKit/Calls/CXCallObserver.swift",
                "Sources/CallKit/Internal/AppSession.swift",
                "Sources/CallKit/Internal/CallMonitor.swift",
                "Sources/CallKit/Directory/DirectoryLoad.swift",
                "Sources/CallKit/Internal/ProviderRegistry.swift",
            ], isForApps: true),
        Ban(text: "TODO", why: "an issue is the place for it"),
        Ban(text: "FIXME", why: "an issue is the place for it"),
        Ban(
            text: "unlink(", why: "a path may be somebody else's",
            exceptions: [
                "Sources/BrokerSocket/Files/HostFile.swift",
                "Sources/BrokerSocket/Sockets/Listener.swift",
            ]),
        Ban(
            text: " close(", why: "descriptors are closed where they are owned",
            exceptions: [
                "Sources/BrokerSocket/Files/AppendFile.swift",
                "Sources/BrokerSocket/Sockets/BlockingSocket.swift",
                "Sources/BrokerSocket/Processes/ChildProcess.swift",
                "Sources/BrokerSocket/Processes/ControlGroups.swift",
                "Sources/BrokerSocket/Processes/PeerHandle.swift",
                "Sources/BrokerSocket/Processes/Systemctl.swift",
                "Sources/BrokerSocket/Processes/TransientServices.swift",
                "Sources/BrokerSocket/Loop/EventLoop.swift",
                "Sources/BrokerSocket/Files/FileLock.swift",
                "Sources/BrokerSocket/Files/FolderTree.swift",
                "Sources/BrokerSocket/Files/HostFile.swift",
                "Sources/BrokerSocket/Sockets/Listener.swift",
                "Sources/BrokerSocket/Files/PlainFile.swift",
                "Sources/BrokerSocket/Sockets/ServiceNotifier.swift",
                "Sources/BrokerSocket/Loop/Wakeup.swift",
                // The broker's own `close`, of a peer.
                "Sources/CallBroker/Peers/PeerTable.swift",
                // A client's own `close`, of its session.
                "Sources/CallClient/Link/Link.swift",
            ]),
    ]

    @Test(arguments: bans.indices) func `the sources are free of what is banned`(_ index: Int) {
        let ban = Self.bans[index]
        let offenders = Set(
            SourceTree.sources
                .filter { !ban.isForApps || !Self.appTargets.contains($0.target) }
                .filter { $0.lines.contains(where: ban.isBroken) }.map(\.path))
        #expect(offenders.subtracting(ban.exceptions) == [], "\(ban.text): \(ban.why)")
        #expect(ban.exceptions.subtracting(offenders) == [], "\(ban.text): needless exceptions")
    }

    @Test func `no test sleeps or reads the wall clock`() {
        for file in SourceTree.tests where file.target != "TidyTests" {
            // Whoever waits for another process does so up to a ceiling; a tool says how fast it was.
            let clock =
                ["DaemonTests", "Simulate"].contains(file.target) ? [] : ["ContinuousClock"]
            for banned in ["sleep(", "Date()", "Date.now", ".disabled("] + clock {
                #expect(!file.lines.contains { $0.contains(banned) }, "\(file.path): \(banned)")
            }
        }
    }
}
