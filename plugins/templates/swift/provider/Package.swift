// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "@NAME@",
    dependencies: [.package(name: "callbroker", path: "@PACKAGE@")],
    targets: [
        .executableTarget(
            name: "@NAME@",
            dependencies: [.product(name: "CallClient", package: "callbroker")],
            path: "Sources")
    ])
