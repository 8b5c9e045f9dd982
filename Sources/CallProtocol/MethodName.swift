/// The names on the wire. The router switches over these, so a row without code, or code without a
/// row, does not compile.
package enum MethodName: String, CaseIterable, Sendable {
    case hello = "broker.hello"
    case ping = "broker.ping"
    case info = "broker.info"
    case describe = "broker.describe"
    case discover = "rpc.discover"
    case cancel = "broker.cancel"
    case log = "broker.log"
    case goodbye = "broker.goodbye"
    case warning = "broker.warning"
    case stats = "broker.stats"
    case advance = "test.advance"
}
