/// A shell, ready for a section: user and observer are there, and nothing else has happened.
package protocol Stage: AnyObject {
    /// As the hello says it.
    var epoch: String { get }
    /// From the test clock to Unix time.
    var offsetMS: Int64 { get }

    func perform(_ move: Move) throws

    /// What came for a client: so many frames, and those behind them that are there already.
    func frames(for client: Client, atLeast count: Int) throws -> [String]

    /// Comes back when everything that was sent has been handled.
    func settle() throws

    /// All clients that ever connected.
    var clients: [Client] { get }
}
