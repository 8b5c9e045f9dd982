import Testing

/// Long files and functions are where the thing is not decided yet. The exceptions are a ratchet:
/// whoever shortens one takes it off the list.
struct LengthTests {
    static let fileLinesMax = 500
    static let functionLinesMax = 40

    /// Longer functions, with their length: they may not grow.
    static let longFunctions: [String: Int] = [:]

    @Test func `no file is too long`() {
        // What a script makes is a table, with a line for each entry.
        let written = (SourceTree.sources + SourceTree.tests).filter {
            $0.lines.first?.hasPrefix("// Made by Scripts/") != true
        }
        for file in written {
            #expect(file.lines.count <= Self.fileLinesMax, "\(file.path)")
        }
    }

    @Test func `no function is too long`() {
        var unused = Self.longFunctions
        for file in SourceTree.sources {
            for function in file.functions where function.length > Self.functionLinesMax {
                let key = "\(file.path) \(function.name)"
                let most = Self.longFunctions[key] ?? Self.functionLinesMax
                #expect(function.length <= most, "\(key) at line \(function.line)")
                unused[key] = nil
            }
        }
        #expect(unused == [:], "these are short enough now")
    }

    @Test func `functions are found at all`() {
        let scanner = SourceTree.sources.first { $0.path.hasSuffix("JSONScanner.swift") }
        let names = Set(scanner?.functions.map(\.name) ?? [])
        #expect(names.isSuperset(of: ["scan", "value", "separator", "string", "init"]))
    }

    @Test func `each library has its tests`() {
        let libraries = Set(SourceTree.sources.map(\.target))
            // AVFAudio is one import; the tests of LiveCommunicationKit are in CallKitTests: a
            // process has one broker.
            .subtracting(["AVFAudio", "CallBrokerMain", "LiveCommunicationKit"])
        let suites = Set(SourceTree.tests.map(\.target))
        #expect(libraries.map { $0 + "Tests" }.filter { !suites.contains($0) } == [])
    }
}
