// swift-tools-version:6.2
import PackageDescription

let tidy: [SwiftSetting] =
    Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + tidy

/// Parts of the program in which nothing is fast or slow, or that wait for the disk: `make static`
/// compiles them for size.
let compact: [SwiftSetting] =
    Context.environment["CALLBROKER_COMPACT"] == nil
    ? strict : strict + [.unsafeFlags(["-Osize"])]

/// What an app for CallKit may import.
let appModules: [Target.Dependency] = [
    "AVFAudio", "AVFoundation", "CallKit", "Combine", "Intents", "PushKit", "Selectors",
    "UIKit", "UnifiedLogging", "UserNotifications",
]

let package = Package(
    name: "callbroker",
    products: [
        .executable(name: "callbroker", targets: ["CallBrokerMain"]),
        .library(name: "CallClient", targets: ["CallClient", "CallModel"]),
        .library(name: "CallTesting", targets: ["CallTesting"]),
        .library(name: "CallKit", targets: ["CallKit"]),
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "Intents", targets: ["Intents"]),
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "Selectors", targets: ["Selectors"]),
        .library(name: "UnifiedLogging", targets: ["UnifiedLogging"]),
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .plugin(name: "AppSources", targets: ["AppSources"]),
        .library(name: "PushKit", targets: ["PushKit"]),
        .library(name: "LiveCommunicationKit", targets: ["LiveCommunicationKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(
            name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        .target(name: "BrokerJSON", dependencies: ["CJansson"], swiftSettings: strict),
        .target(name: "BrokerRPC", dependencies: ["BrokerJSON"], swiftSettings: strict),
        .target(name: "BrokerSocket", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "CallModel", swiftSettings: strict),
        .target(
            name: "CallArbitration", dependencies: ["CallModel"], swiftSettings: strict),
        .target(
            name: "CallJournal", dependencies: ["BrokerSocket", "CallArbitration", "CallModel"],
            swiftSettings: strict),
        .target(
            name: "CallStore", dependencies: ["BrokerSocket", "CSQLite", "CallModel"],
            swiftSettings: compact),
        // What people bring to fill a caller directory with.
        .target(
            name: "CallerLists", dependencies: ["BrokerJSON", "CallStore"], swiftSettings: compact),
        .target(
            name: "CallTranscript", dependencies: ["CallArbitration", "CallModel"],
            swiftSettings: compact),
        .target(
            name: "CallProtocol", dependencies: ["BrokerJSON", "BrokerRPC", "CallModel"],
            swiftSettings: strict),
        .target(
            name: "CallPlugins", dependencies: ["BrokerJSON", "CallModel", "CallProtocol"],
            swiftSettings: compact),
        .target(
            name: "CallBroker",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallArbitration", "CallJournal",
                "CallModel", "CallPlugins", "CallProtocol", "CallStore",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "CallClient",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallModel", "CallProtocol",
            ], swiftSettings: compact),
        // For tests: a broker in memory, and what judges providers.
        .target(
            name: "CallTesting",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallBroker", "CallJournal", "CallModel",
                "CallPlugins", "CallProtocol", "CallStore", "CallTranscript",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: compact),
        // What apps written for CallKit import; on Linux only.
        .target(name: "AVFoundation", swiftSettings: strict),
        .target(name: "AVFAudio", dependencies: ["AVFoundation"], swiftSettings: strict),
        .target(name: "Combine", swiftSettings: strict),
        .target(name: "Intents", swiftSettings: strict),
        .target(name: "Selectors", swiftSettings: strict),
        .target(name: "UIKit", dependencies: ["Intents"], swiftSettings: strict),
        .target(name: "UnifiedLogging", swiftSettings: strict),
        .target(name: "UserNotifications", dependencies: ["CDBus"], swiftSettings: strict),
        // Lets an app's sources with Objective-C's attributes be compiled as they are.
        .executableTarget(
            name: "app-sources", path: "Sources/AppSources", swiftSettings: strict),
        .plugin(
            name: "AppSources", capability: .buildTool(),
            dependencies: ["app-sources"], path: "Scripts/AppSources"),
        .target(
            name: "CallKit",
            dependencies: [
                "AVFoundation", "BrokerJSON", "CallClient", "CallModel", "CallProtocol", "Intents",
            ], swiftSettings: strict),
        .target(name: "PushKit", dependencies: ["CallKit"], swiftSettings: strict),
        .target(
            name: "LiveCommunicationKit",
            dependencies: ["AVFoundation", "CallKit", "CallModel"], swiftSettings: strict),
        // Apps in the language mode and the manner of most: without our settings.
        .executableTarget(
            name: "Speakerbox",
            dependencies: ["AVFoundation", "CallKit", "Intents", "PushKit", "UIKit"],
            path: "examples/speakerbox", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "HomingPigeon",
            dependencies: ["AVFoundation", "CallKit", "Combine", "Intents", "UIKit"],
            path: "examples/homing-pigeon", swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(
            name: "TownCrier", dependencies: ["LiveCommunicationKit"],
            path: "examples/town-crier", swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "CallBrokerTool",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallArbitration", "CallBroker",
                "CallClient", "CallJournal", "CallModel", "CallPlugins", "CallProtocol",
                "CallStore",
                "CallTesting", "CallTranscript", "CallerLists",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: compact),

        .executableTarget(
            name: "CallBrokerMain", dependencies: ["CallBrokerTool"], swiftSettings: strict),

        // What the arbiter costs: `make bench-arbiter`.
        .target(name: "CAllocations", path: "Benchmarks/allocations"),
        .executableTarget(
            name: "ArbiterBenchmark",
            dependencies: ["CAllocations", "CallArbitration", "CallModel"],
            path: "Benchmarks/arbiter", swiftSettings: strict),

        // What a caller directory of 10 million numbers costs: `make bench-directory`.
        .executableTarget(
            name: "DirectoryBenchmark", dependencies: ["BrokerSocket", "CallStore", "CallerLists"],
            path: "Benchmarks/directory", swiftSettings: strict),

        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // The transcripts as what clients send and get, for every shell that has a wire.
        .target(
            name: "StoryPlayer",
            dependencies: [
                "BrokerJSON", "CallArbitration", "CallModel", "CallProtocol", "CallTranscript",
                "TestSupport",
            ], path: "Tests/System/StoryPlayer", swiftSettings: strict),
        .testTarget(
            name: "BrokerJSONTests", dependencies: ["BrokerJSON", "TestSupport"],
            path: "Tests/Unit/BrokerJSONTests", swiftSettings: strict),
        .testTarget(
            name: "BrokerRPCTests", dependencies: ["BrokerJSON", "BrokerRPC", "TestSupport"],
            path: "Tests/Unit/BrokerRPCTests", swiftSettings: strict),
        .testTarget(
            name: "BrokerSocketTests", dependencies: ["BrokerSocket", "TestSupport"],
            path: "Tests/Unit/BrokerSocketTests", swiftSettings: strict),
        .testTarget(
            name: "CallArbitrationTests",
            dependencies: ["CallArbitration", "CallModel", "CallTranscript", "TestSupport"],
            path: "Tests/Unit/CallArbitrationTests", exclude: ["Transcripts"], swiftSettings: strict
        ),
        .testTarget(
            name: "CallJournalTests",
            dependencies: [
                "BrokerSocket", "CallArbitration", "CallJournal", "CallModel", "CallTesting",
            ], path: "Tests/Unit/CallJournalTests", swiftSettings: strict),
        .testTarget(
            name: "CallStoreTests",
            dependencies: ["BrokerSocket", "CSQLite", "CallModel", "CallStore", "TestSupport"],
            path: "Tests/Unit/CallStoreTests", swiftSettings: strict),
        .testTarget(
            name: "CallerListsTests", dependencies: ["CallStore", "CallerLists", "TestSupport"],
            path: "Tests/Unit/CallerListsTests", swiftSettings: strict),
        .testTarget(
            name: "CallTranscriptTests",
            dependencies: ["CallArbitration", "CallModel", "CallTranscript", "TestSupport"],
            path: "Tests/Unit/CallTranscriptTests", exclude: ["Recordings"],
            swiftSettings: strict),
        .testTarget(
            name: "CallModelTests", dependencies: ["CallModel"], path: "Tests/Unit/CallModelTests",
            swiftSettings: strict),
        .testTarget(
            name: "CallProtocolTests",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "CallArbitration", "CallModel", "CallProtocol",
            ], path: "Tests/Unit/CallProtocolTests", swiftSettings: strict),
        .testTarget(
            name: "CallPluginsTests",
            dependencies: ["CallModel", "CallPlugins", "CallProtocol", "TestSupport"],
            path: "Tests/Unit/CallPluginsTests", swiftSettings: strict),
        .testTarget(
            name: "CallBrokerTests",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "BrokerSocket", "CallArbitration", "CallBroker",
                "CallJournal",
                "CallModel", "CallPlugins", "CallProtocol", "CallStore", "CallTesting",
                "CallTranscript",
                "StoryPlayer", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Unit/CallBrokerTests", swiftSettings: strict),
        .testTarget(
            name: "CallTestingTests",
            dependencies: [
                "BrokerSocket", "CallClient", "CallModel", "CallTesting", "CallTranscript",
                "TestSupport",
            ],
            path: "Tests/Unit/CallTestingTests", swiftSettings: strict),
        .testTarget(
            name: "CallBrokerToolTests",
            dependencies: [
                "BrokerSocket", "CallBrokerTool", "CallModel", "CallProtocol", "CallStore",
                "CallerLists", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Unit/CallBrokerToolTests", swiftSettings: strict),
        // Swift clients and the real executable. `Support` is that of DaemonTests.
        .testTarget(
            name: "CallClientTests",
            dependencies: [
                "BrokerJSON", "BrokerSocket", "CallBrokerMain", "CallClient", "CallModel",
                "CallProtocol", "TestSupport",
            ],
            path: "Tests/Unit/CallClientTests", swiftSettings: strict),
        .testTarget(
            name: "AVFoundationTests", dependencies: ["AVFoundation"],
            path: "Tests/Apps/AVFoundationTests", swiftSettings: strict),
        .testTarget(
            name: "CombineTests", dependencies: ["Combine"], path: "Tests/Apps/CombineTests",
            swiftSettings: strict),
        .testTarget(
            name: "IntentsTests", dependencies: ["Intents"], path: "Tests/Apps/IntentsTests",
            swiftSettings: strict),
        .testTarget(
            name: "AppSourcesTests", dependencies: ["app-sources"],
            path: "Tests/Apps/AppSourcesTests", swiftSettings: strict),
        .testTarget(
            name: "SelectorsTests", dependencies: ["Selectors"], path: "Tests/Apps/SelectorsTests",
            swiftSettings: strict),
        .testTarget(
            name: "UnifiedLoggingTests", dependencies: ["UnifiedLogging"],
            path: "Tests/Apps/UnifiedLoggingTests", swiftSettings: strict),
        .testTarget(
            name: "UserNotificationsTests", dependencies: ["UserNotifications"],
            path: "Tests/Apps/UserNotificationsTests", swiftSettings: strict),
        .testTarget(
            name: "UIKitTests", dependencies: ["Intents", "UIKit"], path: "Tests/Apps/UIKitTests",
            swiftSettings: strict),
        .testTarget(
            name: "PushKitTests", dependencies: ["PushKit"], path: "Tests/Apps/PushKitTests",
            swiftSettings: strict),
        // Code as apps for CallKit are written, in their language mode and in the current one:
        // without a warning.
        .target(
            name: "CallKitCorpus",
            dependencies: ["AVFoundation", "CallKit", "Combine", "PushKit", "UIKit"],
            path: "Tests/Apps/CallKitCorpus", exclude: ["README.md"],
            swiftSettings: [.swiftLanguageMode(.v5)] + tidy),
        .target(
            name: "CallKitCorpus6", dependencies: ["AVFoundation", "CallKit", "PushKit"],
            path: "Tests/Apps/CallKitCorpus6", swiftSettings: tidy),
        // Sources in the manner of well-known apps, in both language modes.
        .target(
            name: "CallKitApps", dependencies: appModules, path: "Tests/Apps/CallKitApps",
            exclude: ["App", "README.md"], swiftSettings: [.swiftLanguageMode(.v5)] + tidy,
            plugins: ["AppSources"]),
        .target(
            name: "CallKitApps6", dependencies: appModules, path: "Tests/Apps/CallKitApps6",
            exclude: ["App"], swiftSettings: tidy, plugins: ["AppSources"]),
        // An app with all of its life, which the tests start.
        .executableTarget(
            name: "LifeApp", dependencies: appModules, path: "Tests/Apps/LifeApp",
            exclude: ["App"], swiftSettings: [.swiftLanguageMode(.v5)] + tidy,
            plugins: ["AppSources"]),
        // An app that pushes start, with the code of the corpora.
        .executableTarget(
            name: "PushPhone",
            dependencies: ["CallKit", "CallKitCorpus", "CallKitCorpus6", "PushKit"],
            path: "Tests/Apps/PushPhone", swiftSettings: [.swiftLanguageMode(.v5)] + tidy),
        .target(
            name: "ConversationCorpus", dependencies: ["AVFoundation", "LiveCommunicationKit"],
            path: "Tests/Apps/ConversationCorpus", exclude: ["README.md"],
            swiftSettings: [.swiftLanguageMode(.v5)] + tidy),
        .target(
            name: "ConversationCorpus6", dependencies: ["LiveCommunicationKit"],
            path: "Tests/Apps/ConversationCorpus6", swiftSettings: tidy),
        // Apps written for CallKit and the real executable. `Support` is that of DaemonTests.
        .testTarget(
            name: "CallKitTests",
            dependencies: [
                "AVFoundation", "BrokerJSON", "CDBus", "CallBrokerMain", "CallClient", "CallKit",
                "CallKitApps", "CallKitApps6", "CallKitCorpus", "CallKitCorpus6", "CallModel",
                "CallProtocol", "Combine", "ConversationCorpus", "ConversationCorpus6",
                "HomingPigeon", "Intents", "LifeApp", "LiveCommunicationKit", "PushKit",
                "PushPhone", "Selectors", "Speakerbox", "TestSupport", "TownCrier", "UIKit",
                "UnifiedLogging", "UserNotifications",
            ], path: "Tests/Apps/CallKitTests", exclude: ["Interface"], swiftSettings: strict),
        // The real executable over real sockets; it uses none of our code.
        .testTarget(
            name: "DaemonTests", dependencies: ["CallBrokerMain", "TestSupport"],
            path: "Tests/System/DaemonTests", swiftSettings: strict),
        // The stories with the real executable. `Support` is that of DaemonTests.
        .executableTarget(
            name: "SocketHolder", path: "Tests/System/SocketHolder", swiftSettings: strict),
        .testTarget(
            name: "StorySocketTests",
            dependencies: [
                "CallBrokerMain", "CallModel", "SocketHolder", "StoryPlayer", "TestSupport",
            ], path: "Tests/System/StorySocketTests", swiftSettings: strict),
        .testTarget(name: "TidyTests", swiftSettings: strict),

        // Every reader of foreign bytes: it replays its corpus, and fuzzes when built with
        // -sanitize=fuzzer.
        .target(name: "CFuzzMain", path: "Tests/Fuzzing/CFuzzMain"),
        .executableTarget(
            name: "Fuzzer",
            dependencies: [
                "BrokerJSON", "BrokerRPC", "BrokerSocket", "CFuzzMain", "CJansson",
                "CallArbitration",
                "CallBroker", "CallBrokerTool", "CallJournal", "CallModel", "CallPlugins",
                "CallProtocol", "CallStore", "CallTesting", "CallTranscript", "CallerLists",
                .product(name: "Logging", package: "swift-log"),
            ], path: "Tests/Fuzzing/Fuzzer", swiftSettings: strict),
        .testTarget(
            name: "FuzzerTests", dependencies: ["Fuzzer"], path: "Tests/Fuzzing/FuzzerTests",
            swiftSettings: strict),

        .testTarget(
            name: "CallSimulationTests",
            dependencies: [
                "CallArbitration", "CallModel", "CallSimulation", "Simulate", "TestSupport",
            ], path: "Tests/Models/CallSimulationTests", swiftSettings: strict),

        // The rules once more, to compare the arbiter with: `make second-opinion`.
        .target(
            name: "NaiveArbiter", dependencies: ["CallArbitration", "CallModel"],
            path: "Tests/Models/NaiveArbiter", swiftSettings: strict),
        .executableTarget(
            name: "SecondOpinion",
            dependencies: ["CallArbitration", "CallModel", "NaiveArbiter", "TestSupport"],
            path: "Tests/Models/SecondOpinion", swiftSettings: strict),

        .testTarget(
            name: "NaiveArbiterTests",
            dependencies: [
                "CallArbitration", "CallModel", "NaiveArbiter", "SecondOpinion", "TestSupport",
            ], path: "Tests/Models/NaiveArbiterTests", swiftSettings: strict),

        // Opens what a power cut may have left: `Tests/System/Reliability/powercut.py`.
        .executableTarget(
            name: "ImageReader",
            dependencies: [
                "BrokerSocket", "CallArbitration", "CallBroker", "CallJournal", "CallModel",
                "CallStore", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/System/ImageReader", swiftSettings: strict),

        // What everything costs beside growing crowds, in instructions: `Tests/System/Costs`.
        .target(name: "CCallgrind", path: "Tests/System/CCallgrind"),
        .executableTarget(
            name: "CostMeter",
            dependencies: [
                "BrokerJSON", "BrokerSocket", "CCallgrind", "CallBroker", "CallJournal",
                "CallPlugins", "CallProtocol", "CallStore", "CallTesting",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/System/CostMeter", swiftSettings: strict),

        // Random worlds around the arbiter, and what judges them.
        .target(
            name: "CallSimulation",
            dependencies: ["CallArbitration", "CallModel", "CallTranscript", "TestSupport"],
            path: "Tests/Models/CallSimulation", swiftSettings: strict),
        .executableTarget(
            name: "Simulate",
            dependencies: [
                "CallModel", "CallSimulation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Models/Simulate", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
