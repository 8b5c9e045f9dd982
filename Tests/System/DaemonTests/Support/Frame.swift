/// One frame from the broker, taken apart.
struct Frame {
    let json: JSON

    init(_ json: JSON) {
        self.json = json
    }

    var id: JSON? { json["id"] }
    var method: String? { json["method"]?.string }
    var params: JSON? { json["params"] }
    var result: JSON? { json["result"] }
    var error: JSON? { json["error"] }
    var code: Int? { error?["code"]?.integer }
    var data: JSON? { error?["data"] }
    var reason: String? { data?["reason"]?.string }
    var field: String? { data?["field"]?.string }

    /// What matters of the frame on one line, so that tests compare whole frames without the
    /// English of error messages, which the contract leaves open: `ID RESULT`, `ID CODE`,
    /// `METHOD REASON`, and the entries of a batch in brackets.
    var verdict: String {
        if let elements = json.elements {
            return "[" + elements.map { Frame($0).verdict }.joined(separator: ", ") + "]"
        }
        if let method { return "\(method) \(params?["reason"] ?? .null)" }
        return "\(id ?? "no id") \(result.map(\.description) ?? code.map(String.init) ?? "?")"
    }
}
