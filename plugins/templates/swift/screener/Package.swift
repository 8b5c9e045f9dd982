// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "@NAME@",
    targets: [.executableTarget(name: "@NAME@", path: "Sources")])
