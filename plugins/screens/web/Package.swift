// swift-tools-version:6.2
import PackageDescription

let tidy: [SwiftSetting] =
    Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

// A package of its own: the broker neither needs its dependency nor grows by it.
let package = Package(
    name: "callbroker-screen",
    dependencies: [
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")
    ],
    targets: [
        .executableTarget(
            name: "callbroker-screen",
            dependencies: [.product(name: "FlyingSocks", package: "FlyingFox")],
            path: "Sources/CallBrokerScreen",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ] + tidy)
    ],
    swiftLanguageModes: [.v6]
)
