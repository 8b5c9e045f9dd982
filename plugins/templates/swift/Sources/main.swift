// @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo.
//
// The broker starts it with a connection on standard input and output, and registers it as its
// manifest says. One JSON text per line, both ways; what is to be logged goes to standard error.
import Foundation

typealias JSON = [String: Any]

/// What is said, from whatever thread.
final class Mouth {
    private let lock = NSLock()

    func say(_ frame: JSON) {
        guard var line = try? JSONSerialization.data(withJSONObject: frame) else { return }
        line.append(0x0A)
        lock.withLock { FileHandle.standardOutput.write(line) }
    }
}

/// The calls that live.
final class Calls {
    private let lock = NSLock()
    private var ids: Set<String> = []

    func add(_ call: String) { _ = lock.withLock { ids.insert(call) } }
    func has(_ call: String) -> Bool { lock.withLock { ids.contains(call) } }
    func remove(_ call: String) { _ = lock.withLock { ids.remove(call) } }
    func removeAll() { lock.withLock { ids.removeAll() } }
}

/// Rings for each line that comes through the FIFO.
func listen(at path: String, _ mouth: Mouth, _ calls: Calls) {
    guard let bell = fopen(path, "r+") else { return }
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    while getline(&line, &size, bell) > 0, let text = line {
        let who = String(cString: text).trimmingCharacters(in: .newlines).prefix(60)
        let call = UUID().uuidString.lowercased()
        calls.add(call)
        mouth.say([
            "jsonrpc": "2.0", "id": call, "method": "call.report_incoming",
            "params": [
                "call": call, "supports_holding": false,
                "remote": ["type": "generic", "value": String(who)],
            ] as JSON,
        ])
    }
}

/// What an action comes to: a result, or an error.
func perform(_ kind: String, _ call: String, _ calls: Calls) -> JSON {
    guard ["answer", "end", "set_muted"].contains(kind) else {
        return ["error": ["code": -32601, "message": "\(kind) is not supported"] as JSON]
    }
    guard calls.has(call) else {
        let error: JSON = [
            "code": -32000, "message": "no such call", "data": ["reason": "no_such_call"],
        ]
        return ["error": error]
    }
    if kind == "end" { calls.remove(call) }
    return ["result": JSON()]
}

let mouth = Mouth()
let calls = Calls()
/// What became of actions: one that comes again is done once, and answered as before.
var outcomes: [String: JSON] = [:]

func answer(_ method: String, _ params: JSON) -> JSON {
    switch method {
    case "provider.perform":
        let action = params["action"] as? String ?? ""
        if let outcome = outcomes[action] { return outcome }
        let outcome = perform(
            params["kind"] as? String ?? "", params["call"] as? String ?? "", calls)
        if outcomes.count >= 256 { outcomes.removeAll() }
        outcomes[action] = outcome
        return outcome
    case "broker.ping": return ["result": ["payload": params["payload"] ?? NSNull()]]
    default: return ["error": ["code": -32601, "message": "\(method) is not supported"] as JSON]
    }
}

let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
let fifo = folder + "/@NAME@.fifo"
mkfifo(fifo, 0o600)
Thread.detachNewThread { listen(at: fifo, mouth, calls) }

while let line = readLine() {
    guard let frame = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? JSON else {
        continue
    }
    guard let method = frame["method"] as? String else {
        // A reply to our only request: its id is the call's. An error means: it may not ring.
        if frame["error"] != nil, let call = frame["id"] as? String { calls.remove(call) }
        continue
    }
    let params = frame["params"] as? JSON ?? [:]
    if let id = frame["id"] {
        mouth.say(answer(method, params).merging(["jsonrpc": "2.0", "id": id]) { one, _ in one })
    } else if method == "provider.reset" {
        calls.removeAll()
    }
}
