// @TITLE@: a screener: it blocks callers without a number.
//
// The broker opens its session on standard input and output, as its manifest says. One JSON text
// per line, both ways; log output goes to standard error.
import Foundation

typealias JSON = [String: Any]

func reply(to method: String, _ params: JSON) -> JSON {
    switch method {
    case "screener.check":  // every call waits for it before it rings
        let hasNumber = params["remote"] is JSON
        return ["result": ["verdict": hasNumber ? "continue" : "block"]]  // or allow, silence
    case "broker.ping": return ["result": ["payload": params["payload"] ?? NSNull()]]
    default: return ["error": ["code": -32601, "message": "\(method) is not supported"] as JSON]
    }
}

while let line = readLine() {
    guard let frame = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? JSON,
        let method = frame["method"] as? String, let id = frame["id"]
    else { continue }
    let answer = reply(to: method, frame["params"] as? JSON ?? [:])
    let whole = answer.merging(["jsonrpc": "2.0", "id": id]) { one, _ in one }
    if var bytes = try? JSONSerialization.data(withJSONObject: whole) {
        bytes.append(0x0A)
        FileHandle.standardOutput.write(bytes)
    }
}
