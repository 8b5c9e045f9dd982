// Writes a copy of a Swift source without what needs Objective-C: `app-sources FROM TO`.

internal import Foundation

func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("app-sources: \(message)\n".utf8))
    exit(status)
}

guard CommandLine.arguments.count == 3 else {
    fail("needs two arguments, FROM and TO", 2)
}
let (source, copy) = (CommandLine.arguments[1], CommandLine.arguments[2])
do {
    let text = try String(contentsOfFile: source, encoding: .utf8)
    // On the first line of the source, so that lines keep their numbers.
    let head = "internal import Selectors; "
    var rewriter = SourceRewriter(text)
    try (head + rewriter.rewritten()).write(toFile: copy, atomically: true, encoding: .utf8)
} catch {
    fail("\(source): \(error.localizedDescription)", 1)
}
