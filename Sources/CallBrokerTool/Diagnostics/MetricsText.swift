internal import CallProtocol

/// Figures in the text format of Prometheus: OpenMetrics, or the classic format of earlier scrapers.
struct MetricsText {
    enum Form {
        case openMetrics, classic

        var contentType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .classic: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    enum Kind: String {
        case counter, gauge, histogram
    }

    /// The name of each metric begins with it.
    private static let prefix = "callbroker_"

    private let form: Form
    private var text = ""

    init(_ form: Form) {
        self.form = form
    }

    /// The whole text.
    var description: String {
        form == .openMetrics ? text + "# EOF\n" : text
    }

    /// Begins a metric. A name that ends in a unit declares it.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        let metric = Self.prefix + name
        let isClassicCounter = kind == .counter && form == .classic
        let declared = isClassicCounter ? metric + "_total" : metric
        text += "# HELP \(declared) \(help)\n# TYPE \(declared) \(kind.rawValue)\n"
        let unit = ["seconds", "bytes"].first { name.hasSuffix("_" + $0) }
        if let unit, form == .openMetrics { text += "# UNIT \(declared) \(unit)\n" }
    }

    /// Writes a sample.
    mutating func sample(
        _ name: String, _ labels: [(String, String)] = [], _ value: String
    ) {
        text += Self.prefix + name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// Returns a label's value, in which a broker that lies cannot begin a line of its own.
    private static func escaped(_ value: String) -> String {
        value.printable.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "\\" || scalar == "\"" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }
}
