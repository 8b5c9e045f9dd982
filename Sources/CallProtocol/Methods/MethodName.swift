/// The names of the methods on the wire.
package enum MethodName: String, CaseIterable, Sendable {
    case hello = "broker.hello"
    case ping = "broker.ping"
    case info = "broker.info"
    case describe = "broker.describe"
    case discover = "rpc.discover"
    case cancel = "broker.cancel"
    case progress = "broker.progress"
    case log = "broker.log"
    case goodbye = "broker.goodbye"
    case warning = "broker.warning"
    case stats = "broker.stats"
    case shutdown = "broker.shutdown"

    // Operations
    case metrics = "broker.metrics"
    case dump = "broker.dump"
    case backup = "broker.backup"

    // Providers
    case register = "provider.register"
    case updateProvider = "provider.update"
    case unregister = "provider.unregister"
    case listProviders = "provider.list"

    // Reports
    case reportIncoming = "call.report_incoming"
    case reportAlerting = "call.report_alerting"
    case reportConnecting = "call.report_connecting"
    case reportConnected = "call.report_connected"
    case reportHeld = "call.report_held"
    case reportMuted = "call.report_muted"
    case reportGroup = "call.report_group"
    case reportMissed = "call.report_missed"
    case reportUpdate = "call.report_update"
    case reportEnded = "call.report_ended"

    // To providers
    case perform = "provider.perform"
    case execute = "provider.execute"
    case settleAction = "action.settle"
    case timedOut = "provider.timed_out"
    case reset = "provider.reset"
    case audioActivated = "audio.activated"
    case audioDeactivated = "audio.deactivated"
    case presentation = "call.presentation"
    case authorizationChanged = "provider.authorization_changed"

    // Controllers
    case request = "transaction.request"
    case start = "call.start"
    case answer = "call.answer"
    case end = "call.end"
    case setHeld = "call.set_held"
    case setMuted = "call.set_muted"
    case setGroup = "call.set_group"
    case playDTMF = "call.play_dtmf"
    case transfer = "call.transfer"
    case attendedTransfer = "call.attended_transfer"
    case deflect = "call.deflect"
    case dial = "call.dial"
    case swap = "call.swap"
    case merge = "call.merge"
    case split = "call.split"
    case pressButton = "call.press_button"
    case silence = "call.silence"
    case explain = "call.explain"
    case listCalls = "call.list"
    case getCall = "call.get"

    // Observers, policy
    case subscribe = "events.subscribe"
    case unsubscribe = "events.unsubscribe"
    case event = "event"
    case gap = "events.gap"
    case getHost = "host.get"
    case getPolicy = "policy.get"
    case setPolicy = "policy.set"

    // Screens
    case claimScreen = "ui.claim"
    case releaseScreen = "ui.release"
    case present = "ui.present"
    case dismissCall = "ui.dismiss"

    // Screening, directories, contacts and blocks
    case check = "screener.check"
    case lookUp = "directory.lookup"
    case putEntries = "directory.put_entries"
    case changeEntries = "directory.change_entries"
    case clearDirectory = "directory.clear"
    case listDirectories = "directory.list"
    case enableDirectory = "directory.enable"
    case addBlock = "block.add"
    case removeBlock = "block.remove"
    case listBlocks = "block.list"
    case putContact = "contact.put"
    case removeContact = "contact.remove"
    case listContacts = "contact.list"

    // History
    case listHistory = "history.list"
    case removeHistory = "history.remove"
    case clearHistory = "history.clear"
    case markHistorySeen = "history.mark_seen"
    case importHistory = "history.import"
    // Plugins
    case listPlugins = "plugin.list"
    case startPlugin = "plugin.start"
    case stopPlugin = "plugin.stop"
    case restartPlugin = "plugin.restart"
    case enablePlugin = "plugin.enable"
    case disablePlugin = "plugin.disable"
    case rescanPlugins = "plugin.rescan"
    case pluginLogs = "plugin.logs"
    case pluginDoctor = "plugin.doctor"
    case setPluginOption = "plugin.set_option"
    case pluginOptionsChanged = "plugin.options_changed"

    // The test mode
    case advance = "test.advance"
    case awaitSettled = "test.settle"
}
