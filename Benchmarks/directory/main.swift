import BrokerSocket
import CallStore
import CallerLists

// DirectoryBenchmark [NUMBERS]: the figures of a caller directory, 10 million numbers unless said
// otherwise, in a folder of its own in TMPDIR.

let numbers = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000_000
let folder = try HostFile.makeTemporaryFolder(
    prefix: "callbroker-directory", environment: Environment.current)
defer {
    for name in HostFile.names(inFolder: folder) { HostFile.remove("\(folder)/\(name)") }
    HostFile.removeFolder(folder)
}
print("\(numbers) numbers, in frames of 500\n")
print("| what | figure | of what must be | of what should be |")
print("|---|---|---|---|")
let run = DirectoryRun(numbers: numbers, folder: folder)
try run.measure()
try run.measureList(.csv, "CSV")
try run.measureList(.ndjson, "NDJSON")
