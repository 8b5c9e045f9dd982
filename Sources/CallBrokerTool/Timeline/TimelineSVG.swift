internal import BrokerSocket
internal import CallProtocol

/// A picture as one SVG document, which loads nothing.
struct TimelineSVG {
    /// Earlier times are no dates: the clocks of tests and of recordings begin near zero.
    private static let firstDateMS: Int64 = 100_000_000_000

    private(set) var text = ""
    private let scene: TimelineScene
    private let layout: TimelineLayout
    /// The address of the page of the rules.
    private let rules: String

    init(_ scene: TimelineScene, rules: String) {
        self.scene = scene
        self.rules = rules
        layout = TimelineLayout(scene)
        addHead()
        addAxis()
        for app in layout.apps { addApp(app) }
        for shape in layout.labels + layout.links { add(shape) }
        for item in layout.items { add(item) }
        text += "<g aria-hidden=\"true\">\n"
        for shape in layout.legend { add(shape) }
        text += "</g>\n</svg>\n"
    }

    // MARK: - The frame

    private mutating func addHead() {
        let title = Self.escaped(TimelineWords.title(scene))
        let span = TimeText.duration(scene.toMS - scene.fromMS)
        let isDate = scene.fromMS >= Self.firstDateMS
        let start = isDate ? ClockTime.rfc3339(unixMS: scene.fromMS) + ", " : ""
        text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(TimelineLayout.width) \
            \(layout.height)" width="\(TimelineLayout.width)" height="\(layout.height)" \
            role="group" aria-labelledby="title">
            <title id="title">\(title), \(start)\(span)</title>
            <style>\(Self.styles)</style>
            <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" \
            markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
            <rect class="ground" width="100%" height="100%"/>
            <text class="title" x="12" y="24">\(title)</text>
            <text class="note" x="\(TimelineLayout.left)" y="24">\(start)\(span)</text>

            """
    }

    private mutating func addAxis() {
        let (upper, lower) = (TimelineLayout.top - 10, layout.bottom)
        text += "<g aria-hidden=\"true\">\n"
        for tick in layout.scale.ticks {
            text += "<path class=\"grid\" d=\"M\(tick.x) \(upper)V\(lower)\"/>"
            if let label = tick.label {
                text +=
                    "<text class=\"tick\" x=\"\(tick.x + 3)\" y=\"\(upper - 4)\">\(label)</text>"
            }
            text += "\n"
        }
        for fold in layout.scale.folds {
            let (x, width) = (fold.x + 8, TimeScale.foldWidth - 16)
            text += """
                <rect class="fold" x="\(x)" y="\(upper)" width="\(width)" height="\(lower - upper)"/>\
                <text class="fold-note" transform="translate(\(x + width / 2 + 4) \(upper + 8)) \
                rotate(90)">\(TimeText.duration(fold.ms))</text>

                """
        }
        text += "</g>\n"
    }

    private mutating func addApp(_ app: TimelineLayout.App) {
        let right = TimelineLayout.right
        text += "<path class=\"app-line\" d=\"M12 \(app.y + 5)H\(right)\"/>"
        text += "<text class=\"app\" x=\"12\" y=\"\(app.y)\">"
        text += "\(Self.escaped(app.name))</text>\n"
    }

    // MARK: - Calls

    /// Returns text that neither ends its place nor changes the order of what follows.
    private static func escaped(_ text: String) -> String {
        XMLText.escaped(text.printable)
    }

    private mutating func add(_ item: TimelineItem) {
        let label = Self.escaped(item.description)
        text += "<g role=\"img\" aria-label=\"\(label)\">\n"
        for shape in item.shapes where shape.rule == nil { add(shape) }
        text += "</g>\n"
        // A picture of its own has no links inside for a screen reader.
        for shape in item.shapes where shape.rule != nil { add(shape) }
    }

    private mutating func add(_ shape: TimelineShape) {
        let title = shape.title.map { "<title>\(Self.escaped($0))</title>" } ?? ""
        if let rule = shape.rule {
            let address = "\(rules)#rule-\(rule.lowercased())"
            text += "<a href=\"\(Self.escaped(address))\">"
        }
        switch shape.form {
        case .bar(let x, let y, let width, let height):
            text += "<rect class=\"\(shape.style)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" "
            text += "height=\"\(height)\">\(title)</rect>"
        case .stroke(let x, let y, let toX, let toY):
            text += "<path class=\"\(shape.style)\" d=\"M\(x) \(y)L\(toX) \(toY)\">\(title)</path>"
        case .text(let x, let y, let words):
            text += "<text class=\"\(shape.style)\" x=\"\(x)\" y=\"\(y)\">"
            text += "\(Self.escaped(words))\(title)</text>"
        }
        text += shape.rule == nil ? "\n" : "</a>\n"
    }
}

// Colors: those of the light form, and of the dark one where it is wanted. Plain classes, because
// not every viewer knows variables.
extension TimelineSVG {
    private static let styles = """

        text{font:11px system-ui,"DejaVu Sans",sans-serif;fill:#1f2328}
        .title{font-size:15px;font-weight:600}.app{font-weight:600}
        .small{font-size:9px}.on-bar{pointer-events:none}
        .tick,.note,.fold-note{fill:#57606a}.rule{fill:#0757ba;text-decoration:underline}
        .fold-note{font-size:10px}.note.failed{fill:#b3261e}
        .ground{fill:#fff}.fold{fill:#eef1f4}
        .grid,.app-line,.mark,.end,.link-held,.link-joined{fill:none;stroke-width:1}
        .grid{stroke:#e3e7eb}.app-line{stroke:#c3cad1}.mark{stroke:#0757ba}
        .end{stroke:#57606a;stroke-width:2}.end.failed{stroke:#b3261e;stroke-width:3}
        .link-held{stroke:#7b3fa0;stroke-width:1.5;marker-end:url(#head)}.head{fill:#7b3fa0}
        .faint{stroke-width:1;opacity:.5}
        .link-joined{stroke:#0f766e;stroke-width:3;stroke-dasharray:2 3}
        .s-starting,.s-dialing{fill:#c9ddfb}.s-alerting{fill:#9fc3f5}
        .s-ringing{fill:#ffd33d}.s-waiting{fill:#ffeb9c}
        .s-connecting{fill:#b8ead0}.s-active{fill:#7fd6a4}
        .s-held{fill:#dcc9ec;stroke:#7b3fa0;stroke-dasharray:3 2}
        .s-ending{fill:#d0d7de}.s-external,.s-other{fill:#e6dcd0;stroke:#8a7356}
        .audio{fill:#0f766e}.muted{fill:#b3261e}.action{fill:#57606a}.action.failed{fill:#b3261e}
        @media (prefers-color-scheme:dark){
        text{fill:#e6edf3}.tick,.note,.fold-note{fill:#9da7b1}.rule{fill:#79b8ff}
        .note.failed{fill:#ff8a80}.ground{fill:#0d1117}.fold{fill:#1c232b}
        .grid{stroke:#242b33}.app-line{stroke:#3d4650}.mark{stroke:#79b8ff}
        .end{stroke:#9da7b1}.end.failed{stroke:#ff8a80}
        .link-held{stroke:#d2a8ff}.head{fill:#d2a8ff}.link-joined{stroke:#4fd1c5}
        .s-starting,.s-dialing{fill:#1f3a5f}.s-alerting{fill:#2b5490}
        .s-ringing{fill:#7d5f00}.s-waiting{fill:#4f4208}
        .s-connecting{fill:#164a34}.s-active{fill:#1d6b45}
        .s-held{fill:#3c2a4d;stroke:#d2a8ff}
        .s-ending{fill:#3d4650}.s-external,.s-other{fill:#40362a;stroke:#b89b74}
        .audio{fill:#4fd1c5}.muted{fill:#ff8a80}.action{fill:#9da7b1}.action.failed{fill:#ff8a80}
        }
        @media print{text{fill:#000}}

        """
}
