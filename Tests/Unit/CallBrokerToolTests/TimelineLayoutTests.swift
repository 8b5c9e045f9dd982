import Testing

@testable import CallBrokerTool

/// Pictures of calls over time, as shapes and as SVG.
struct TimelineLayoutTests {
    /// Returns a call that rings a fifth of its time, and then talks.
    private static func call(
        _ number: Int, _ provider: String = "org.a", from fromMS: Int64, ms: Int64 = 10_000
    ) -> TimelineScene.Call {
        let id = "0000000\(number % 10)-0000-4000-8000-\(String(1_000_000 + number))00000"
        var builder = TimelineCallBuilder(call: id, provider: provider, direction: "incoming")
        builder.add(.decision(rule: "1", word: "rings"), at: fromMS)
        builder.add(.state("ringing"), at: fromMS)
        builder.add(.action(id: "a", kind: "answer", state: "dispatched"), at: fromMS + ms / 5 - 1)
        builder.add(.action(id: "a", kind: "answer", state: "fulfilled"), at: fromMS + ms / 5)
        builder.add(.state("active"), at: fromMS + ms / 5)
        builder.add(.audio(true), at: fromMS + ms / 5)
        builder.add(.end(reason: "remote_ended"), at: fromMS + ms)
        builder.add(.state("ended"), at: fromMS + ms)
        return builder.finished(at: 0)
    }

    private static func crowd(_ count: Int, every ms: Int64) -> TimelineScene {
        TimelineScene(
            (0..<count).map { call($0, "org.\($0 % 3)", from: Int64($0) * ms) })
    }

    /// The room of each label.
    private static func labels(_ layout: TimelineLayout) -> [(x: Range<Int>, y: Int)] {
        (layout.labels + layout.items.flatMap(\.shapes)).compactMap { shape in
            guard case .text(let x, let y, let text) = shape.form else { return nil }
            return (x..<(x + TextWidth.small(text)), y)
        }
    }

    @Test(arguments: [1, 2, 12, 24, 25, 80, 200], [100, 3_000, 60_000] as [Int64])
    func `no label lies on another, and all shapes are inside`(count: Int, every ms: Int64) {
        let layout = TimelineLayout(Self.crowd(count, every: ms))
        let rows = Dictionary(grouping: Self.labels(layout), by: \.y)
        for row in rows.values {
            let sorted = row.sorted { $0.x.lowerBound < $1.x.lowerBound }
            for (label, next) in zip(sorted, sorted.dropFirst()) {
                #expect(!label.x.overlaps(next.x))
            }
            #expect(sorted.allSatisfy { $0.x.upperBound <= TimelineLayout.width })
        }
        #expect(layout.items.count == count)
        #expect(layout.height < 3_400)
    }

    @Test func `few calls have lanes of their own`() {
        let layout = TimelineLayout(Self.crowd(12, every: 60_000))
        #expect(
            layout.labels.count == 12 && layout.apps.map(\.name) == ["org.0", "org.1", "org.2"])
    }

    @Test func `of many calls those that do not overlap share a lane`() {
        let apart = TimelineLayout(Self.crowd(200, every: 60_000))
        #expect(apart.height < 600)
        let together = TimelineLayout(Self.crowd(200, every: 10))
        #expect(together.height > 200 * TimelineSizes.small.lane)
    }

    @Test func `an arrow leads from a call to the one that is held for it`() {
        var held = Self.call(1, from: 0)
        let other = Self.call(2, "org.b", from: 3_000)
        held.links = [
            .init(kind: .held, other: other.call, atMS: 5_000),
            .init(kind: .held, other: "unknown", atMS: 6_000),
        ]
        let links = TimelineLayout(TimelineScene([held, other])).links
        #expect(links.count == 1)
        guard case .stroke(let x, let y, let toX, let toY) = links.first?.form else {
            Issue.record("no arrow")
            return
        }
        #expect(x == toX && y > toY && links.first?.style == "link-held")
    }

    @Test func `the same calls give the same picture, in any order`() {
        let scene = Self.crowd(40, every: 2_000)
        let turned = TimelineScene(scene.calls.reversed())
        #expect(
            TimelineSVG(scene, rules: "rules.html").text
                == TimelineSVG(turned, rules: "rules.html").text)
    }

    @Test func `whatever words come are escaped`() {
        let hostile = "<a href=\"javascript:x\">&\u{1}]]>\u{202E}'"
        var builder = TimelineCallBuilder(call: hostile, provider: hostile, direction: hostile)
        builder.add(.state(hostile), at: 0)
        builder.add(.decision(rule: hostile, word: hostile), at: 1)
        builder.add(.action(id: "a", kind: hostile, state: hostile), at: 2)
        builder.add(.end(reason: hostile), at: 3)
        let scene = TimelineScene([builder.finished(at: 9_000)])
        let text = TimelineSVG(scene, rules: "\"><script>").text
        for part in ["<script", "<a href=\"javascript", "&\u{1}", "&]]", "\u{202E}"] {
            #expect(!text.contains(part))
        }
    }

    @Test func `rules are links, and each call is told in words`() {
        let text = TimelineSVG(Self.crowd(2, every: 3_000), rules: "https://example.org/r.html")
            .text
        #expect(text.contains(#"<a href="https://example.org/r.html#rule-1">"#))
        #expect(text.contains("ringing, 2 s; active, 8 s"))
        #expect(text.contains("prefers-color-scheme:dark"))
        #expect(!text.contains("@import") && !text.contains("url(http"))
    }
}
