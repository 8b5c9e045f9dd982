// Made by Scripts/messages from messages/en.json.
// swift-format-ignore-file

extension Messages {
    static func promptYesDefault(question: String) -> String { text("prompt.yes_default", "{question} [Y/n] ", [("question", question)]) }
    static func promptNoDefault(question: String) -> String { text("prompt.no_default", "{question} [y/N] ", [("question", question)]) }
    static var promptYesWords: String { text("prompt.yes_words", "y yes") }
    static var promptNoWords: String { text("prompt.no_words", "n no") }
    static var stateStarting: String { text("state.starting", "starting") }
    static var stateDialing: String { text("state.dialing", "dialing") }
    static var stateRinging: String { text("state.ringing", "ringing") }
    static var stateWaiting: String { text("state.waiting", "waiting") }
    static var stateConnecting: String { text("state.connecting", "connecting") }
    static var stateActive: String { text("state.active", "active") }
    static var stateHeld: String { text("state.held", "held") }
    static var stateEnding: String { text("state.ending", "ending") }
    static var stateEnded: String { text("state.ended", "ended") }
    static var pendingQueued: String { text("pending.queued", "queued") }
    static var pendingStarting: String { text("pending.starting", "starting") }
    static var pendingAnswering: String { text("pending.answering", "answering") }
    static var pendingHolding: String { text("pending.holding", "holding") }
    static var pendingResuming: String { text("pending.resuming", "resuming") }
    static var pendingEnding: String { text("pending.ending", "ending") }
    static var pendingMuting: String { text("pending.muting", "muting") }
    static var pendingGrouping: String { text("pending.grouping", "grouping") }
    static var pendingSendingDtmf: String { text("pending.sending_dtmf", "sending dtmf") }
    static var callUnknown: String { text("call.unknown", "unknown") }
    static var callMuted: String { text("call.muted", "muted") }
    static var callAppNotConnected: String { text("call.app_not_connected", "app not connected") }
    static var callNone: String { text("call.none", "no calls") }
    static func callMerged(group: String) -> String { text("call.merged", " with {group}", [("group", group)]) }
    static var endFailed: String { text("end.failed", "failed") }
    static var endRemoteEnded: String { text("end.remote_ended", "other side hung up") }
    static var endUnanswered: String { text("end.unanswered", "not answered") }
    static var endAnsweredElsewhere: String { text("end.answered_elsewhere", "answered elsewhere") }
    static var endDeclinedElsewhere: String { text("end.declined_elsewhere", "declined elsewhere") }
    static var endLocalEnded: String { text("end.local_ended", "ended here") }
    static var endDeclined: String { text("end.declined", "declined") }
    static var endCancelled: String { text("end.cancelled", "given up here") }
    static var endFiltered: String { text("end.filtered", "kept from ringing") }
    static func endByFilter(end: String, filter: String) -> String { text("end.by_filter", "{end} by {filter}", [("end", end), ("filter", filter)]) }
    static func endWithFilter(end: String, filter: String) -> String { text("end.with_filter", "{end} ({filter})", [("end", end), ("filter", filter)]) }
    static func endAppReason(end: String, reason: String) -> String { text("end.app_reason", "{end}: {reason}", [("end", end), ("reason", reason)]) }
    static var missedUnanswered: String { text("missed.unanswered", "not answered") }
    static var missedShortRing: String { text("missed.short_ring", "rang briefly") }
    static var missedSilenced: String { text("missed.silenced", "rang silently") }
    static var missedCallerGaveUp: String { text("missed.caller_gave_up", "caller gave up") }
    static var missedDoNotDisturb: String { text("missed.do_not_disturb", "do-not-disturb was on") }
    static var missedMaxRinging: String { text("missed.max_ringing", "too many calls rang") }
    static var missedEmergency: String { text("missed.emergency", "an emergency came first") }
    static var missedProviderLost: String { text("missed.provider_lost", "app lost") }
    static var missedScreeningTimedOut: String { text("missed.screening_timed_out", "a filter was too slow") }
    static var missedMaxCalls: String { text("missed.max_calls", "too many calls") }
    static var missedInCall: String { text("missed.in_call", "in another call") }
    static var filterBlockList: String { text("filter.block_list", "the block list") }
    static var filterDoNotDisturb: String { text("filter.do_not_disturb", "do-not-disturb") }
    static var filterUnknownCallers: String { text("filter.unknown_callers", "the policy for unknown callers") }
    static var refusalUnentitled: String { text("refusal.unentitled", "the user has not authorized the app to have calls") }
    static var refusalNotYourCall: String { text("refusal.not_your_call", "only the user may control or end another app's call") }
    static var refusalCallIsProtected: String { text("refusal.call_is_protected", "a filter protects the call") }
    static var refusalUnknownCall: String { text("refusal.unknown_call", "there is no such call") }
    static var refusalCallEnded: String { text("refusal.call_ended", "the call has ended") }
    static var refusalUnknownProvider: String { text("refusal.unknown_provider", "no such provider, or the request names none") }
    static var refusalCallUuid: String { text("refusal.call_uuid", "the call id is in use or was used recently") }
    static var refusalEmptyTransaction: String { text("refusal.empty_transaction", "the transaction has no actions") }
    static var refusalInvalidAction: String { text("refusal.invalid_action", "too many actions, or an action of an unknown kind") }
    static var refusalInvalidState: String { text("refusal.invalid_state", "not possible in the call's present state, or while an action is pending") }
    static var refusalCannotHold: String { text("refusal.cannot_hold", "a call that would have to be held cannot be held at the moment") }
    static var refusalHoldFailed: String { text("refusal.hold_failed", "the call in the way could not be held, because its provider refused") }
    static var refusalNotSupported: String { text("refusal.not_supported", "the call or its provider does not support this") }
    static var refusalAlreadyDialing: String { text("refusal.already_dialing", "another call is being started or dialed") }
    static var refusalCallRinging: String { text("refusal.call_ringing", "a call is ringing, and the policy does not allow dialing meanwhile") }
    static var refusalBusy: String { text("refusal.busy", "another call is being answered, started or resumed") }
    static var refusalEmergency: String { text("refusal.emergency", "an emergency call has priority") }
    static var refusalMaxCallGroups: String { text("refusal.max_call_groups", "the provider's limit of call groups is reached") }
    static var refusalMaxCallsPerGroup: String { text("refusal.max_calls_per_group", "the limit of calls in one group would be exceeded") }
    static var refusalMaxRinging: String { text("refusal.max_ringing", "too many calls are ringing or waiting") }
    static var refusalMaxHeld: String { text("refusal.max_held", "too many call groups are held") }
    static var refusalMaxCalls: String { text("refusal.max_calls", "the limit of calls is reached") }
    static var refusalDoNotDisturb: String { text("refusal.do_not_disturb", "do-not-disturb is turned on") }
    static var refusalInCall: String { text("refusal.in_call", "the user is in a call, and the policy refuses others meanwhile") }
    static var refusalBlockList: String { text("refusal.block_list", "the caller is blocked") }
    static var refusalRestrictedSharing: String { text("refusal.restricted_sharing", "a filter refused the call in restricted sharing mode") }
    static var refusalSensitiveParticipants: String { text("refusal.sensitive_participants", "a filter refused the call because of its participants") }
    static var refusalScreener: String { text("refusal.screener", "a screener refused the call") }
    static var refusalDeadlineExceeded: String { text("refusal.deadline_exceeded", "the provider did not answer in time") }
    static var refusalCancelled: String { text("refusal.cancelled", "cancelled by the client, or superseded by another request") }
    static var refusalProviderFailed: String { text("refusal.provider_failed", "the provider returned an error") }
    static var refusalProviderGone: String { text("refusal.provider_gone", "the provider disconnected before the action was done") }
    static var originUser: String { text("origin.user", "the user") }
    static var originApp: String { text("origin.app", "the app") }
    static var originProvider: String { text("origin.provider", "the app's report") }
    static var originRemote: String { text("origin.remote", "the other side") }
    static var originArbitration: String { text("origin.arbitration", "the rules") }
    static var originTimeout: String { text("origin.timeout", "a deadline") }
    static var originPolicy: String { text("origin.policy", "the policy") }
    static var originAdmin: String { text("origin.admin", "an administrator") }
    static func setupBrokerRunning(release: String) -> String { text("setup.broker_running", "The broker runs, release {release}.", [("release", release)]) }
    static var setupBrokerStart: String { text("setup.broker_start", "No broker runs. Start it now, and at each login?") }
    static var setupBrokerStarted: String { text("setup.broker_started", "The broker is started, and will start at each login.") }
    static func setupBrokerNotStarted(reason: String) -> String { text("setup.broker_not_started", "the service manager could not start the broker: {reason}", [("reason", reason)]) }
    static var setupTelephones: String { text("setup.telephones", "Telephones") }
    static var setupScreens: String { text("setup.screens", "Screens") }
    static var setupStateFound: String { text("setup.state_found", "found") }
    static var setupStateEnabled: String { text("setup.state_enabled", "enabled") }
    static var setupStateMissing: String { text("setup.state_missing", "not here") }
    static var setupStateBroken: String { text("setup.state_broken", "broken") }
    static var setupNoPlugins: String { text("setup.no_plugins", "No plugins came with this program: install them (make install, or the package callbroker-plugins).") }
    static func setupMissingProgram(name: String) -> String { text("setup.missing_program", "the program {name} is not installed", [("name", name)]) }
    static func setupMissingModule(name: String) -> String { text("setup.missing_module", "the Python library {name} is not installed", [("name", name)]) }
    static func setupMissingSessionService(name: String) -> String { text("setup.missing_session_service", "nothing provides {name} on the desktop's bus", [("name", name)]) }
    static func setupMissingSystemService(name: String) -> String { text("setup.missing_system_service", "nothing provides {name} on the system's bus", [("name", name)]) }
    static func setupMissingSessionBus(name: String) -> String { text("setup.missing_session_bus", "this session has no bus, so nothing provides {name}", [("name", name)]) }
    static func setupMissingSystemBus(name: String) -> String { text("setup.missing_system_bus", "this host has no system bus, so nothing provides {name}", [("name", name)]) }
    static func setupInstall(packages: String) -> String { text("setup.install", "sudo apt install {packages}", [("packages", packages)]) }
    static func setupEnable(name: String) -> String { text("setup.enable", "Enable {name}?", [("name", name)]) }
    static var setupNothingEnabled: String { text("setup.nothing_enabled", "Nothing was enabled: answer the questions on a terminal, or use --yes.") }
    static func setupEnabled(name: String) -> String { text("setup.enabled", "{name} is enabled", [("name", name)]) }
    static func setupEnabledReady(name: String) -> String { text("setup.enabled_ready", "{name} is enabled, and runs", [("name", name)]) }
    static func setupEnabledFailed(name: String, reason: String) -> String { text("setup.enabled_failed", "{name} is enabled, and does not run: {reason}", [("name", name), ("reason", reason)]) }
    static func setupEnableFailed(name: String, reason: String) -> String { text("setup.enable_failed", "{name} was not enabled: {reason}", [("name", name), ("reason", reason)]) }
    static func setupDoctorHint(plugin: String) -> String { text("setup.doctor_hint", "callbroker plugin doctor {plugin}", [("plugin", plugin)]) }
    static var setupTestOffer: String { text("setup.test_offer", "Ring a test call?") }
    static var setupTestName: String { text("setup.test_name", "Test call") }
    static var setupTestApp: String { text("setup.test_app", "CallBroker setup") }
    static func setupTestRings(name: String, seconds: String) -> String { text("setup.test_rings", "A call from \"{name}\" rings now, for {seconds} s.", [("name", name), ("seconds", seconds)]) }
    static func setupTestRingsOn(name: String, screen: String, seconds: String) -> String { text("setup.test_rings_on", "A call from \"{name}\" rings now on {screen}, for {seconds} s.", [("name", name), ("screen", screen), ("seconds", seconds)]) }
    static func setupTestWaits(name: String, seconds: String) -> String { text("setup.test_waits", "A call from \"{name}\" waits now behind another call, for {seconds} s.", [("name", name), ("seconds", seconds)]) }
    static func setupTestRingsSilently(name: String, seconds: String) -> String { text("setup.test_rings_silently", "A call from \"{name}\" rings now without sound, for {seconds} s.", [("name", name), ("seconds", seconds)]) }
    static func setupTestRingsUnseen(name: String, seconds: String) -> String { text("setup.test_rings_unseen", "A call from \"{name}\" rings now, for {seconds} s, but no screen is connected that could show it.", [("name", name), ("seconds", seconds)]) }
    static var setupTestPrompt: String { text("setup.test_prompt", "Answer or decline it there, or with \"callbroker answer\". Press Enter here if nothing rings.") }
    static var setupTestAnswered: String { text("setup.test_answered", "The test call was answered: calls reach you.") }
    static func setupTestAnsweredOn(screen: String) -> String { text("setup.test_answered_on", "The test call was answered, with {screen} as screen: calls reach you.", [("screen", screen)]) }
    static var setupTestDeclined: String { text("setup.test_declined", "The test call was declined: calls reach you.") }
    static var setupTestEnded: String { text("setup.test_ended", "The test call was ended.") }
    static var setupTestUnanswered: String { text("setup.test_unanswered", "Nobody answered the test call.") }
    static var setupTestUnheard: String { text("setup.test_unheard", "The test call did not ring where you are.") }
    static var setupTestSilenced: String { text("setup.test_silenced", "It rang without sound: you silenced it, or a filter did.") }
    static func setupTestRefused(reason: String) -> String { text("setup.test_refused", "The test call must not ring: {reason}.", [("reason", reason)]) }
    static var setupTestLost: String { text("setup.test_lost", "The broker was lost during the test call.") }
    static var setupTestNoScreen: String { text("setup.test_no_screen", "No screen was connected: nothing shows the call, and only apps that ring by themselves are heard.") }
    static var setupTestNoReason: String { text("setup.test_no_reason", "The broker found no reason for it: is the sound on, and does the desktop show notifications?") }
    static func setupTestFailed(reason: String) -> String { text("setup.test_failed", "The test call failed: {reason}", [("reason", reason)]) }
    static var setupNext: String { text("setup.next", "Next:") }
    static var setupNextStatus: String { text("setup.next_status", "the state of the phone") }
    static var setupNextDial: String { text("setup.next_dial", "call somebody") }
    static var setupNextDoctor: String { text("setup.next_doctor", "what is wrong, and what to do about it") }
    static var setupNextLogin: String { text("setup.next_login", "have the telephones from login on, not from the first call") }
    static var setupNextSetup: String { text("setup.next_setup", "this again, on a terminal, to enable what was found") }
    static func statusMore(count: Int64) -> String { text("status.more", [.one: "and {count} more: callbroker calls", .other: "and {count} more: callbroker calls"], count: count) }
    static var statusNoMissed: String { text("status.no_missed", "no new missed calls") }
    static func statusMissed(count: Int64) -> String { text("status.missed", [.one: "{count} new missed call: callbroker history --missed", .other: "{count} new missed calls: callbroker history --missed"], count: count) }
    static func statusMissedLatest(count: Int64, caller: String) -> String { text("status.missed_latest", [.one: "{count} new missed call, the latest from {caller}: callbroker history --missed", .other: "{count} new missed calls, the latest from {caller}: callbroker history --missed"], [("caller", caller)], count: count) }
    static func statusMissedCaller(name: String, when: String) -> String { text("status.missed_caller", "{name}, {when}", [("name", name), ("when", when)]) }
    static var statusUnknownCaller: String { text("status.unknown_caller", "unknown") }
    static func statusDoNotDisturb(state: String) -> String { text("status.do_not_disturb", "do-not-disturb: {state}", [("state", state)]) }
    static var statusNoApps: String { text("status.no_apps", "no apps are registered") }
    static func statusApps(apps: String) -> String { text("status.apps", "apps: {apps}", [("apps", apps)]) }
    static func statusAppNotConnected(app: String) -> String { text("status.app_not_connected", "{app} (not connected)", [("app", app)]) }
    static func statusProblem(state: String, subject: String, message: String) -> String { text("status.problem", "{state}: {subject}: {message}", [("state", state), ("subject", subject), ("message", message)]) }
    static func setupOptionYesNo(name: String, description: String) -> String { text("setup.option_yes_no", "  {name}: {description}?", [("name", name), ("description", description)]) }
    static func setupOptionValue(name: String, description: String) -> String { text("setup.option_value", "  {name}: {description} (Enter skips): ", [("name", name), ("description", description)]) }
    static func setupOptionDefault(name: String, description: String, value: String) -> String { text("setup.option_default", "  {name}: {description} (Enter leaves {value}): ", [("name", name), ("description", description), ("value", value)]) }
    static func setupOptionFailed(reason: String) -> String { text("setup.option_failed", "  not set: {reason}", [("reason", reason)]) }
}
