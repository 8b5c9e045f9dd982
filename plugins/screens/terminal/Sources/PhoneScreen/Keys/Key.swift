/// A key that was pressed.
package enum Key: Hashable, Sendable {
    case character(Character)
    case enter, escape, backspace, delete, tab, backTab
    case up, down, pageUp, pageDown, home, end
    case function(Int)
    /// Control and a letter.
    case control(Character)

    /// The name as the screen shows it.
    package var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .enter: "Enter"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .up: "Up"
        case .down: "Down"
        case .pageUp: "PageUp"
        case .pageDown: "PageDown"
        case .home: "Home"
        case .end: "End"
        case .function(let number): "F\(number)"
        case .control(let letter): "Ctrl-\(letter.uppercased())"
        }
    }
}

/// What a click on a place means.
package enum Target: Hashable, Sendable {
    case key(Key)
    case tab(Tab)
    /// A row of the view.
    case row(Int)
    /// An item of the menu.
    case item(Int)
}
