/// A part of a picture, at its place in pixels.
struct TimelineShape {
    enum Form {
        case bar(x: Int, y: Int, width: Int, height: Int)
        case stroke(x: Int, y: Int, toX: Int, toY: Int)
        /// Text that begins at x, on the line y.
        case text(x: Int, y: Int, String)
    }

    let form: Form
    /// The class, which the style sheet of the picture knows.
    let style: String
    /// What a pointer that rests on it shows.
    var title: String?
    /// The rule that it leads to.
    var rule: String?

    init(_ form: Form, _ style: String, title: String? = nil, rule: String? = nil) {
        (self.form, self.style, self.title, self.rule) = (form, style, title, rule)
    }
}

/// The shapes of one call.
struct TimelineItem {
    /// The call in words, for those who do not see it.
    let description: String
    var shapes: [TimelineShape]
}

/// Places of labels in one row, from left to right: a label moves to the right a little, or is left
/// out.
struct LabelRow {
    private static let shiftMax = 24
    private static let gap = 4
    private var end = Int.min

    /// Returns the place of a label; nil if there is no room.
    mutating func place(_ x: Int, width: Int, right: Int) -> Int? {
        let place = max(x, end)
        guard place - x <= Self.shiftMax, place + width <= right else { return nil }
        end = place + width + Self.gap
        return place
    }
}
