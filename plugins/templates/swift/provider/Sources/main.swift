// @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo.
import CallClient
import CallModel
import Foundation

/// The user's actions on calls. A method that returns has fulfilled its action, one that throws
/// refuses it; a kind without a method is not supported.
final class Doorbell: CallProviderDelegate {
    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}

    func provider(_ provider: CallProvider, end request: ActionRequest) async throws {}

    func provider(
        _ provider: CallProvider, setMuted isMuted: Bool, _ request: ActionRequest
    ) async throws {}
}

/// Returns the lines that are written to a FIFO.
func lines(of path: String) -> AsyncStream<String> {
    mkfifo(path, 0o600)
    return AsyncStream { lines in
        Thread.detachNewThread {
            guard let bell = fopen(path, "r+") else { return lines.finish() }
            var line: UnsafeMutablePointer<CChar>?
            var size = 0
            while getline(&line, &size, bell) > 0, let text = line {
                lines.yield(String(cString: text).trimmingCharacters(in: .newlines))
            }
        }
    }
}

// Before the app is known: somebody may ring at once.
let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
let names = lines(of: folder + "/@NAME@.fifo")
let doorbell = Doorbell()
let provider = try await CallProvider(
    identity: "@IDENTITY@", ProviderConfiguration(displayName: "@TITLE@", handleKinds: [.generic]),
    delegate: doorbell)
for await who in names {
    var update = CallUpdate()
    update.remote = .set(Handle(kind: .generic, value: String(who.prefix(60))))
    update.supportsHolding = .set(false)
    do {
        _ = try await provider.reportIncoming(.random(), update)
    } catch {
        print("it may not ring: \(error)")
    }
}
