import Testing

struct ImportTests {
    /// Who may import what: the arrows of the architecture. The build checks that what is imported
    /// is declared; this checks that nothing else gets declared.
    static let arrows: [String: Set<String>] = [
        "BrokerJSON": ["CJansson"],
        "BrokerRPC": ["BrokerJSON", "Glibc"],
        "BrokerSocket": ["CLinux", "Glibc", "Synchronization"],
        "CallModel": [],
        "CallArbitration": ["CallModel"],
        "CallJournal": ["BrokerSocket", "CallArbitration", "CallModel"],
        "CallStore": ["BrokerSocket", "CSQLite", "CallModel", "Glibc", "Synchronization"],
        "CallerLists": ["BrokerJSON", "CallStore"],
        "CallTranscript": ["CallArbitration", "CallModel"],
        "CallProtocol": ["BrokerJSON", "BrokerRPC", "CallModel"],
        "CallPlugins": ["BrokerJSON", "CallModel", "CallProtocol"],
        "CallBroker": [
            "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallArbitration", "CallJournal",
            "CallModel", "CallPlugins", "CallProtocol", "CallStore", "Logging",
        ],
        "CallClient": [
            "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallModel", "CallProtocol",
            "Synchronization",
        ],
        "CallTesting": [
            "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallBroker", "CallJournal", "CallModel",
            "CallPlugins", "CallProtocol", "CallStore", "CallTranscript", "Logging",
            "Synchronization",
        ],
        // Apps that import these expect Foundation and its types. The tool does not use them.
        "AVFAudio": ["AVFoundation"],
        "AVFoundation": ["Foundation", "Synchronization"],
        "AppSources": ["Foundation"],
        "Combine": ["Foundation"],
        "Intents": ["Foundation", "Synchronization"],
        "Selectors": ["Foundation", "Synchronization"],
        "UIKit": ["Dispatch", "Foundation", "Glibc", "Intents", "Synchronization"],
        "UnifiedLogging": ["Foundation"],
        "UserNotifications": ["CDBus", "Dispatch", "Foundation", "Synchronization"],
        "CallKit": [
            "AVFoundation", "BrokerJSON", "CallClient", "CallModel", "CallProtocol", "Dispatch",
            "Foundation", "Intents", "Synchronization",
        ],
        "LiveCommunicationKit": [
            "AVFoundation", "CallKit", "CallModel", "Dispatch", "Foundation", "Synchronization",
        ],
        "PushKit": ["CallKit", "Dispatch", "Foundation"],
        "CallBrokerTool": [
            "ArgumentParser", "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallArbitration",
            "CallBroker", "CallClient", "CallJournal", "CallModel", "CallPlugins", "CallProtocol",
            "CallStore", "CallTesting", "CallerLists",
            "CallTranscript", "Glibc", "Logging",
        ],
        "CallBrokerMain": ["CallBrokerTool"],
        // The one place beside `BrokerJSON` that asks Jansson: what it says is compared.
        "Fuzzer": [
            "BrokerJSON", "BrokerRPC", "BrokerSocket", "CFuzzMain", "CJansson", "CallArbitration",
            "CallBroker", "CallBrokerTool", "CallJournal", "CallModel", "CallPlugins",
            "CallProtocol", "CallStore",
            "CallTesting", "CallTranscript", "CallerLists", "Logging",
        ],
        "SocketHolder": ["Glibc"],
        "TestSupport": ["Foundation", "Glibc"],
        "StoryPlayer": [
            "BrokerJSON", "CallArbitration", "CallModel", "CallProtocol", "CallTranscript",
            "TestSupport",
        ],
        "NaiveArbiter": ["CallArbitration", "CallModel"],
        "SecondOpinion": ["CallArbitration", "CallModel", "NaiveArbiter", "TestSupport"],
        "CallSimulation": [
            "CallArbitration", "CallModel", "CallTranscript", "Synchronization", "TestSupport",
        ],
        "CostMeter": [
            "BrokerJSON", "BrokerSocket", "CCallgrind", "CallBroker", "CallJournal", "CallPlugins",
            "CallProtocol", "CallStore", "CallTesting", "Logging",
        ],
        "ImageReader": [
            "BrokerSocket", "CallArbitration", "CallBroker", "CallJournal", "CallModel",
            "CallStore", "Glibc", "Logging",
        ],
        "Simulate": ["ArgumentParser", "CallModel", "CallSimulation", "Glibc", "Synchronization"],
    ]

    /// The sources, and what the tests share.
    static let files =
        SourceTree.sources + SourceTree.tests.filter { !$0.target.hasSuffix("Tests") }

    @Test func `each target imports only what the arrows allow`() {
        for file in Self.files {
            let allowed = Self.arrows[file.target] ?? []
            for imported in imports(of: file) {
                #expect(allowed.contains(imported), "\(file.path) imports \(imported)")
            }
        }
    }

    @Test func `the arrows name every target and no other`() {
        #expect(Set(Self.files.map(\.target)) == Set(Self.arrows.keys))
    }

    @Test func `each import says how far it reaches`() {
        for file in Self.files {
            for line in file.lines where line.drop(while: { $0 == " " }).hasPrefix("import ") {
                Issue.record("\(file.path): \(line) needs internal, package or public")
            }
        }
    }

    private func imports(of file: SourceTree.File) -> [String] {
        file.lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 1, index + 1 < words.count
            else { return nil }
            return String(words[index + 1].prefix { $0 != "." })
        }
    }
}
