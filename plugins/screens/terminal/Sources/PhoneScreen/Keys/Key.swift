/// A key that was pressed.
package enum Key: Hashable, Sendable {
    case character(Character)
    case enter, escape, backspace, delete, tab, backTab
    case up, down, pageUp, pageDown, home, end
    case function(Int)
    /// Control and a letter.
    case control(Character)
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
