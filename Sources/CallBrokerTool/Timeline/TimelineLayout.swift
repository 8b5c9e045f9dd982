/// A picture of calls over time, as shapes at their places. The same calls always give the same
/// picture.
struct TimelineLayout {
    struct App {
        let name: String
        /// The line of the name.
        let y: Int
    }

    static let width = 1_280
    static let right = width - 30
    static let left = 130
    /// The line below the title and the ticks.
    static let top = 64
    private static let appHeight = 24
    /// The number of calls that have a lane of their own, and are drawn with all labels.
    private static let callsMax = 24

    let scale: TimeScale
    private(set) var apps: [App] = []
    private(set) var items: [TimelineItem] = []
    private(set) var labels: [TimelineShape] = []
    private(set) var links: [TimelineShape] = []
    private(set) var legend: [TimelineShape] = []
    /// The lower end of the lanes.
    private(set) var bottom = Self.top
    private(set) var height = 0
    /// The line in the middle of each call.
    private var lines: [String: Int] = [:]
    private var sizes = TimelineSizes.full
    /// Whether calls share lanes.
    private let isOfMany: Bool

    init(_ scene: TimelineScene) {
        scale = TimeScale(
            scene.calls.map { ($0.fromMS, $0.toMS) }, moments: scene.calls.flatMap(\.moments),
            x: Self.left, width: Self.right - Self.left)
        isOfMany = scene.calls.count > Self.callsMax
        let bands = bands(scene)
        let lanes = bands.reduce(0) { $0 + $1.lanes.count }
        if lanes > Self.callsMax { sizes = .small }
        for band in bands { add(band, scene) }
        height = bottom
        addLinks(scene)
        addLegend(scene)
    }

    // MARK: - Lanes

    private struct Band {
        let provider: String
        var lanes: [[TimelineScene.Call]] = []
    }

    /// Returns the lanes of each app: one for each call or, of many calls, one for those that do
    /// not overlap.
    private func bands(_ scene: TimelineScene) -> [Band] {
        var bands: [Band] = []
        for call in scene.calls {
            let known = bands.firstIndex { $0.provider == call.provider }
            if known == nil { bands.append(Band(provider: call.provider)) }
            let band = known ?? bands.count - 1
            let free = bands[band].lanes.firstIndex { lane in
                lane.last.map { scale.x($0.toMS) + 6 < scale.x(call.fromMS) } ?? true
            }
            if let free, isOfMany {
                bands[band].lanes[free].append(call)
            } else {
                bands[band].lanes.append([call])
            }
        }
        return bands
    }

    private mutating func add(_ band: Band, _ scene: TimelineScene) {
        apps.append(App(name: band.provider.isEmpty ? "?" : band.provider, y: bottom + 17))
        bottom += Self.appHeight
        for lane in band.lanes {
            var drawing = TimelineLane(scale, sizes, y: bottom)
            for (call, next) in zip(lane, lane.dropFirst().map(Optional.some) + [nil]) {
                let end = next.map { scale.x($0.fromMS) - 4 } ?? Self.right + 20
                items.append(
                    drawing.item(
                        call, scene.name(of: call.call), isNamed: isNamed(lane), end: end))
                lines[call.call] = bottom + sizes.middle
            }
            if let only = lane.first, isNamed(lane) { addLabel(only, scene) }
            bottom += sizes.lane
        }
        bottom += 6
    }

    /// Returns whether the name of a call is beside its lane.
    private func isNamed(_ lane: [TimelineScene.Call]) -> Bool {
        lane.count == 1 && (!isOfMany || !sizes.hasLabels)
    }

    private mutating func addLabel(_ call: TimelineScene.Call, _ scene: TimelineScene) {
        let size = sizes.hasLabels ? "label" : "label small"
        let text = TimelineWords.label(of: call, scene.name(of: call.call))
        let form = TimelineShape.Form.text(x: 12, y: bottom + sizes.middle + 4, text)
        labels.append(TimelineShape(form, size, title: call.call))
    }

    // MARK: - Links

    /// Adds an arrow from a call to each that is held for it, and a line between members of a group.
    private mutating func addLinks(_ scene: TimelineScene) {
        for call in scene.calls {
            for link in call.links {
                guard let from = lines[link.other], let to = lines[call.call] else { continue }
                let x = scale.x(link.atMS)
                let edge = (to > from ? -1 : 1) * (sizes.bar / 2 + 2)
                let toY = link.kind == .held ? to + edge : to
                let style = "link-\(link.kind.rawValue)\(isOfMany ? " faint" : "")"
                links.append(
                    TimelineShape(
                        .stroke(x: x, y: from, toX: x, toY: toY), style,
                        title: TimelineWords.link(
                            link.kind, of: scene.name(of: call.call), scene.name(of: link.other))))
            }
        }
    }

    // MARK: - The legend

    private mutating func addLegend(_ scene: TimelineScene) {
        var (x, y) = (Self.left, bottom + 26)
        for (style, text) in TimelineWords.legend(scene, hasLabels: sizes.hasLabels) {
            let width = 30 + TextWidth.small(text) + 18
            if x + width > Self.right, x > Self.left { (x, y) = (Self.left, y + 22) }
            legend.append(Self.sample(style, x: x, y: y))
            legend.append(TimelineShape(.text(x: x + 30, y: y + 4, text), "note"))
            x += width
        }
        height = y + 22
    }

    private static func sample(_ style: String, x: Int, y: Int) -> TimelineShape {
        switch style {
        case "rule": TimelineShape(.text(x: x + 12, y: y + 4, "5a"), style)
        case "audio", "muted", "action", "action failed":
            TimelineShape(.bar(x: x, y: y - 1, width: 22, height: 3), style)
        case "link-held", "link-joined":
            TimelineShape(.stroke(x: x, y: y, toX: x + 20, toY: y), style)
        default:
            TimelineShape(
                .bar(
                    x: x, y: y - TimelineSizes.full.height(of: style) / 2, width: 22,
                    height: TimelineSizes.full.height(of: style)), style)
        }
    }
}

/// The sizes of lanes, in pixels.
struct TimelineSizes {
    static let full = TimelineSizes(lane: 54, middle: 24, bar: 18, hasLabels: true)
    static let small = TimelineSizes(lane: 14, middle: 6, bar: 8, hasLabels: false)

    let lane: Int
    /// The line in the middle of the bars, from the upper end of a lane.
    let middle: Int
    let bar: Int
    /// Whether bars, rules and actions are labeled.
    let hasLabels: Bool

    /// Returns the height of a bar: the state is not only a color.
    func height(of state: String) -> Int {
        switch state {
        case "active": bar
        case "held", "external": bar / 2
        default: bar * 3 / 4
        }
    }
}
