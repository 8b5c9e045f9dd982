// swift-tools-version:6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let client = Target.Dependency.product(name: "CallClient", package: "callbroker")

let package = Package(
    name: "callbroker-phone",
    products: [.executable(name: "callbroker-phone", targets: ["callbroker-phone"])],
    dependencies: [.package(name: "callbroker", path: "../../..")],
    targets: [
        .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CWidth"),
        // What is shown and what keys mean: values, without a terminal and without a broker.
        .target(name: "PhoneScreen", dependencies: ["CWidth", client], swiftSettings: strict),
        .executableTarget(
            name: "callbroker-phone", dependencies: ["CNCurses", "PhoneScreen", client],
            swiftSettings: strict),
        .testTarget(
            name: "PhoneScreenTests", dependencies: ["PhoneScreen", client],
            path: "tests/PhoneScreenTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
