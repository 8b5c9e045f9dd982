// Made by Scripts/messages from messages/en.json.
// swift-format-ignore-file

extension Messages {
    static func promptYesDefault(question: String) -> String { text("prompt.yes_default", "{question} [Y/n] ", [("question", question)]) }
    static func promptNoDefault(question: String) -> String { text("prompt.no_default", "{question} [y/N] ", [("question", question)]) }
    static var promptYesWords: String { text("prompt.yes_words", "y yes") }
    static var promptNoWords: String { text("prompt.no_words", "n no") }
    static var stateStarting: String { text("state.starting", "starting") }
    static var stateDialing: String { text("state.dialing", "dialing") }
    static var stateAlerting: String { text("state.alerting", "other side rings") }
    static var stateRinging: String { text("state.ringing", "ringing") }
    static var stateWaiting: String { text("state.waiting", "waiting") }
    static var stateConnecting: String { text("state.connecting", "connecting") }
    static var stateActive: String { text("state.active", "active") }
    static var stateHeld: String { text("state.held", "held") }
    static var stateEnding: String { text("state.ending", "ending") }
    static var stateExternal: String { text("state.external", "elsewhere") }
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
    static var pendingSwitchingEndpoint: String { text("pending.switching_endpoint", "moving the sound") }
    static var pendingChangingVideo: String { text("pending.changing_video", "changing the video") }
    static var pendingChangingText: String { text("pending.changing_text", "changing the text") }
    static var pendingTransferring: String { text("pending.transferring", "transferring") }
    static var pendingDeflecting: String { text("pending.deflecting", "deflecting") }
    static var callUnknown: String { text("call.unknown", "unknown") }
    static var callMuted: String { text("call.muted", "muted") }
    static var callAppNotConnected: String { text("call.app_not_connected", "app not connected") }
    static func callForwarded(party: String) -> String { text("call.forwarded", "for {party}", [("party", party)]) }
    static var callNotVerified: String { text("call.not_verified", "number not verified") }
    static var callNone: String { text("call.none", "no calls") }
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
    static var detailBusy: String { text("detail.busy", "busy") }
    static var detailRejected: String { text("detail.rejected", "declined there") }
    static var detailNoAnswer: String { text("detail.no_answer", "no answer") }
    static var detailUnreachable: String { text("detail.unreachable", "not reachable") }
    static var detailInvalidNumber: String { text("detail.invalid_number", "no such number") }
    static var detailNotAllowed: String { text("detail.not_allowed", "not allowed") }
    static var detailNoCredit: String { text("detail.no_credit", "no credit") }
    static var detailNotRegistered: String { text("detail.not_registered", "account not registered") }
    static var detailTransferred: String { text("detail.transferred", "transferred") }
    static var detailDeflected: String { text("detail.deflected", "sent to another number") }
    static var detailPulled: String { text("detail.pulled", "continued on another device") }
    static var detailNetworkError: String { text("detail.network_error", "network error") }
    static var detailMediaError: String { text("detail.media_error", "no common audio") }
    static var detailServiceError: String { text("detail.service_error", "server error") }
    static func anomalyCounted(count: Int64, what: String) -> String { text("anomaly.counted", [.one: "{what}, {count} time since the broker started", .other: "{what}, {count} times since the broker started"], [("what", what)], count: count) }
    static var anomalyHint: String { text("anomaly.hint", "callbroker watch broker.anomaly names the app, and callbroker explain --last the decisions") }
    static var anomalyStartSilent: String { text("anomaly.start_silent", "an app did not react to a start, which made way for another") }
    static var anomalyDialStuck: String { text("anomaly.dial_stuck", "a call was dialed or connecting for too long, and was ended") }
    static var anomalyProviderSilent: String { text("anomaly.provider_silent", "an app did not react to an action in time") }
    static var anomalyGroupOverLimit: String { text("anomaly.group_over_limit", "an app grouped more calls than it has declared") }
    static var anomalyVideoUndeclared: String { text("anomaly.video_undeclared", "an app reported video that it has not declared") }
    static var anomalyActiveUnasked: String { text("anomaly.active_unasked", "an app reported a call as active while another had the audio") }
    static var anomalyProviderHung: String { text("anomaly.provider_hung", "an app did not respond to two pings, and was disconnected") }
    static var anomalyEmergencyClaimed: String { text("anomaly.emergency_claimed", "an app marked a call as an emergency, and may not") }
    static var lineRegistered: String { text("line.registered", "registered") }
    static var lineRegistering: String { text("line.registering", "registering") }
    static var lineFailed: String { text("line.failed", "failed") }
    static var lineOff: String { text("line.off", "off") }
    static var kindApp: String { text("kind.app", "app") }
    static var kindAdapter: String { text("kind.adapter", "adapter") }
    static var kindModem: String { text("kind.modem", "modem") }
    static var kindWatched: String { text("kind.watched", "watched") }
    static func lineStateReason(state: String, reason: String) -> String { text("line.state_reason", "{state}: {reason}", [("state", state), ("reason", reason)]) }
    static var lineDefault: String { text("line.default", "default") }
    static var lineNone: String { text("line.none", "no lines: no app has told its accounts apart") }
    static func lineNoSetting(setting: String) -> String { text("line.no_setting", "no line has the setting {setting}", [("setting", setting)]) }
    static func lineSeveral(setting: String) -> String { text("line.several", "several lines have the setting {setting}: choose one with --line, or --app", [("setting", setting)]) }
    static var lineSettingOn: String { text("line.setting_on", "on") }
    static var lineSettingOff: String { text("line.setting_off", "off") }
    static func lineSettingTo(address: String) -> String { text("line.setting_to", "to {address}", [("address", address)]) }
    static func lineSettingAfter(seconds: String) -> String { text("line.setting_after", "after {seconds} s", [("seconds", seconds)]) }
    static func lineChanged(setting: String, state: String) -> String { text("line.changed", "{setting}: {state}", [("setting", setting), ("state", state)]) }
    static func lineMessages(count: Int64) -> String { text("line.messages", [.one: "{count} message", .other: "{count} messages"], count: count) }
    static var missedUnanswered: String { text("missed.unanswered", "not answered") }
    static var missedShortRing: String { text("missed.short_ring", "rang briefly") }
    static var missedSilenced: String { text("missed.silenced", "rang silently") }
    static var missedCallerGaveUp: String { text("missed.caller_gave_up", "caller gave up") }
    static var missedDoNotDisturb: String { text("missed.do_not_disturb", "do-not-disturb was on") }
    static var missedMaxRinging: String { text("missed.max_ringing", "too many calls rang") }
    static var missedEmergency: String { text("missed.emergency", "an emergency came first") }
    static var missedProviderLost: String { text("missed.provider_lost", "app failed") }
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
    static func setupBrokerNotStarted(reason: String) -> String { text("setup.broker_not_started", "the service manager could not start the broker: {reason}; see: systemctl --user status callbroker.socket", [("reason", reason)]) }
    static var setupTelephones: String { text("setup.telephones", "Telephones") }
    static var setupScreens: String { text("setup.screens", "Screens") }
    static var setupStateFound: String { text("setup.state_found", "found") }
    static var setupStateEnabled: String { text("setup.state_enabled", "enabled") }
    static var setupStateMissing: String { text("setup.state_missing", "not here") }
    static var setupStateBroken: String { text("setup.state_broken", "broken") }
    static var setupNoPlugins: String { text("setup.no_plugins", "No plugins came with this program: install them (make install, or the package callbroker-plugins).") }
    static var setupMissingOr: String { text("setup.missing_or", ", or ") }
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
    static var setupTestNoReason: String { text("setup.test_no_reason", "The broker found no reason for it: is the sound on, and does the desktop show notifications?") }
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
    static func statusDoNotDisturb(state: String) -> String { text("status.do_not_disturb", "do-not-disturb: {state}", [("state", state)]) }
    static var statusNoApps: String { text("status.no_apps", "no apps are registered") }
    static func statusApps(apps: String) -> String { text("status.apps", "apps: {apps}", [("apps", apps)]) }
    static func statusAppNotConnected(app: String) -> String { text("status.app_not_connected", "{app} (not connected)", [("app", app)]) }
    static func setupOptionYesNo(name: String, description: String) -> String { text("setup.option_yes_no", "  {name}: {description}?", [("name", name), ("description", description)]) }
    static func setupOptionValue(name: String, description: String) -> String { text("setup.option_value", "  {name}: {description} (Enter skips): ", [("name", name), ("description", description)]) }
    static func setupOptionDefault(name: String, description: String, value: String) -> String { text("setup.option_default", "  {name}: {description} (Enter leaves {value}): ", [("name", name), ("description", description), ("value", value)]) }
    static func setupOptionFailed(reason: String) -> String { text("setup.option_failed", "  not set: {reason}", [("reason", reason)]) }
    static var decisionRefused: String { text("decision.refused", "the request was refused") }
    static var decisionCancelled: String { text("decision.cancelled", "another request took its place") }
    static var decisionJoined: String { text("decision.joined", "the same request was in progress already") }
    static var decisionNothingToDo: String { text("decision.nothing_to_do", "it was so already") }
    static var decisionFailed: String { text("decision.failed", "the app failed") }
    static var decisionRings: String { text("decision.rings", "it rings") }
    static var decisionWaits: String { text("decision.waits", "it waits") }
    static var decisionScreened: String { text("decision.screened", "the filters examine it") }
    static var decisionPassed: String { text("decision.passed", "it is let through") }
    static var decisionSilenced: String { text("decision.silenced", "it rings without sound") }
    static var decisionFiltered: String { text("decision.filtered", "it must not ring") }
    static var decisionElsewhere: String { text("decision.elsewhere", "it was over before it could ring here") }
    static var decisionHoldsFirst: String { text("decision.holds_first", "the call in the way is held first") }
    static var decisionEndsFirst: String { text("decision.ends_first", "the call in the way is ended first") }
    static var decisionWaitsForEnding: String { text("decision.waits_for_ending", "it waits until the other call has ended") }
    static var decisionPartLeftOut: String { text("decision.part_left_out", "a part of the request is left out") }
    static var decisionOneTransaction: String { text("decision.one_transaction", "hold and answer go to the app together") }
    static var decisionPerMember: String { text("decision.per_member", "each call of the group has its own action") }
    static var decisionHoldFailed: String { text("decision.hold_failed", "the app refused to hold, so nothing more is done") }
    static var decisionBlockerEnded: String { text("decision.blocker_ended", "the app refused to hold, so its call is ended") }
    static var decisionSilentCallEnded: String { text("decision.silent_call_ended", "the app did not respond, so its call is ended") }
    static var decisionResumes: String { text("decision.resumes", "the held call is resumed") }
    static var decisionResumeOffered: String { text("decision.resume_offered", "the resume is offered") }
    static var decisionResumeWithheld: String { text("decision.resume_withheld", "the held call is not resumed yet") }
    static var decisionGroupGoesOn: String { text("decision.group_goes_on", "the rest of the group goes on") }
    static var decisionAudioGranted: String { text("decision.audio_granted", "it gets the audio") }
    static var decisionSentBack: String { text("decision.sent_back", "it does not get the audio, and has to be held") }
    static var decisionCountsAsFulfilled: String { text("decision.counts_as_fulfilled", "the report counts as the app's reply") }
    static var decisionWithoutVideo: String { text("decision.without_video", "its app has no video, so the call is started without it") }
    static var decisionWithoutText: String { text("decision.without_text", "its app has no real-time text, so the call is started without it") }
    static var decisionRecorded: String { text("decision.recorded", "the app's own change is recorded") }
    static var decisionAdopted: String { text("decision.adopted", "the call that only the app had is taken over") }
    static var decisionDropped: String { text("decision.dropped", "the call that only the app had is dropped") }
    static var decisionWaitsForProvider: String { text("decision.waits_for_provider", "it waits for the app to come back") }
    static var decisionEnded: String { text("decision.ended", "it is over") }
    static var decisionIgnored: String { text("decision.ignored", "the app's claim does not count") }
    static var decisionForced: String { text("decision.forced", "it is done whatever the app replies") }
    static var historyMissed: String { text("history.missed", "<- missed") }
    static var historyMore: String { text("history.more", "there are more: add --all, or --limit NUMBER") }
    static var historyTotal: String { text("history.total", "all") }
    static var timeNow: String { text("time.now", "now") }
    static func timeMinutes(count: Int64) -> String { text("time.minutes", [.one: "{count} min ago", .other: "{count} min ago"], count: count) }
    static func timeToday(time: String) -> String { text("time.today", "today {time}", [("time", time)]) }
    static func timeYesterday(time: String) -> String { text("time.yesterday", "yesterday {time}", [("time", time)]) }
    static func timeTomorrow(time: String) -> String { text("time.tomorrow", "tomorrow {time}", [("time", time)]) }
    static func timeWeekday(weekday: String, time: String) -> String { text("time.weekday", "{weekday} {time}", [("weekday", weekday), ("time", time)]) }
    static var timeWeekdays: String { text("time.weekdays", "Mon Tue Wed Thu Fri Sat Sun") }
    static var dndOn: String { text("dnd.on", "on") }
    static func dndOnUntil(when: String) -> String { text("dnd.on_until", "on until {when}", [("when", when)]) }
    static var dndOnBySchedule: String { text("dnd.on_by_schedule", "on by schedule") }
    static var dndOff: String { text("dnd.off", "off") }
    static var dndNoSchedule: String { text("dnd.no_schedule", "no schedule") }
    static var dndUntilForm: String { text("dnd.until_form", "--until takes a time of the day, such as 07:30") }
    static var dndPeriodForm: String { text("dnd.period_form", "a period is FROM-TO or DAYS:FROM-TO, such as mon,tue:22:00-06:30") }
    static var dndRepeatedPass: String { text("dnd.repeated_pass", "a second call within three minutes passes") }
    static var dndPriorityPass: String { text("dnd.priority_pass", "priority callers pass") }
    static var dndRepeatedStop: String { text("dnd.repeated_stop", "a second call within three minutes does not pass") }
    static var explainNone: String { text("explain.none", "no decisions are recorded") }
    static func explainAppReason(reason: String) -> String { text("explain.app_reason", "the app's reason: {reason}", [("reason", reason)]) }
    static func explainInTheWay(calls: String) -> String { text("explain.in_the_way", "in the way: {calls}", [("calls", calls)]) }
    static func explainByFilter(decision: String, filter: String) -> String { text("explain.by_filter", "{decision}, by {filter}", [("decision", decision), ("filter", filter)]) }
    static func explainRule(rule: String) -> String { text("explain.rule", "rule {rule}", [("rule", rule)]) }
    static func explainBy(origin: String) -> String { text("explain.by", "by {origin}", [("origin", origin)]) }
    static func explainBecauseOf(call: String) -> String { text("explain.because_of", "because of {call}", [("call", call)]) }
    static func explainNoTransaction(name: String) -> String { text("explain.no_transaction", "no transaction of the latest calls matches \"{name}\"; \"callbroker watch 'transaction.*'\" shows new ones", [("name", name)]) }
    static func explainSeveralTransactions(name: String) -> String { text("explain.several_transactions", "\"{name}\" matches several transactions; name one", [("name", name)]) }
    static func explainNoRule(number: String) -> String { text("explain.no_rule", "there is no rule {number}; \"callbroker rules\" lists the rules", [("number", number)]) }
    static var timelineAudioOn: String { text("timeline.audio_on", "has microphone and speaker") }
    static var timelineAudioOff: String { text("timeline.audio_off", "no longer has microphone and speaker") }
    static func timelineTitle(count: Int64) -> String { text("timeline.title", [.one: "1 call", .other: "{count} calls"], count: count) }
    static var timelineMuted: String { text("timeline.muted", "muted") }
    static var timelineAudio: String { text("timeline.audio", "microphone and speaker") }
    static func timelineHeldFor(call: String, other: String) -> String { text("timeline.held_for", "{call} is held for {other}", [("call", call), ("other", other)]) }
    static func timelineJoined(call: String, other: String) -> String { text("timeline.joined", "{call} joins the group of {other}", [("call", call), ("other", other)]) }
    static var timelineLegendHeld: String { text("timeline.legend_held", "holds") }
    static var timelineLegendJoined: String { text("timeline.legend_joined", "conference") }
    static var timelineLegendAction: String { text("timeline.legend_action", "action, with its latency") }
    static var timelineLegendRule: String { text("timeline.legend_rule", "rule that decided") }
    static func timelineDrawn(count: Int64, file: String) -> String { text("timeline.drawn", [.one: "1 call: {file}", .other: "{count} calls: {file}"], [("file", file)], count: count) }
    static var timelineNoCalls: String { text("timeline.no_calls", "there were no calls in that time that the broker remembers") }
    static var participantsNone: String { text("participants.none", "No participants are known: the call is no conference of the far end, or its app does not report them.") }
    static var participantsJoining: String { text("participants.joining", "joining") }
    static var participantsJoined: String { text("participants.joined", "in") }
    static var participantsWaiting: String { text("participants.waiting", "waits to be admitted") }
    static var participantsHeld: String { text("participants.held", "on hold") }
    static var participantsMuted: String { text("participants.muted", "muted") }
    static var participantsHandRaised: String { text("participants.hand_raised", "hand raised") }
    static var participantsSelf: String { text("participants.self", "you") }
    static var participantsUnknown: String { text("participants.unknown", "the call has no such participant, or several; \"callbroker participants --json\" lists their ids") }
    static func qualityLoss(percent: String) -> String { text("quality.loss", "{percent} % lost", [("percent", percent)]) }
    static func qualityJitter(milliseconds: String) -> String { text("quality.jitter", "jitter {milliseconds} ms", [("milliseconds", milliseconds)]) }
    static func qualityRoundTrip(milliseconds: String) -> String { text("quality.round_trip", "round trip {milliseconds} ms", [("milliseconds", milliseconds)]) }
    static var transactionsNone: String { text("transactions.none", "no requests yet") }
    static var timelineLate: String { text("timeline.late", "answered too late") }
    static var explainForgotten: String { text("explain.forgotten", "the decisions about this call are forgotten; the history has:") }
    static var outcomeNothing: String { text("outcome.nothing", "nothing to do") }
    static func outcomeJoined(outcome: String) -> String { text("outcome.joined", "{outcome}, with the same request before it", [("outcome", outcome)]) }
    static func outcomeReplayed(outcome: String) -> String { text("outcome.replayed", "{outcome} earlier", [("outcome", outcome)]) }
    static var outcomeAccepted: String { text("outcome.accepted", "accepted") }
    static var outcomeCompleted: String { text("outcome.completed", "completed") }
    static var outcomeFailed: String { text("outcome.failed", "failed") }
    static var outcomeDone: String { text("outcome.done", "done") }
    static var outcomeWouldBeRefused: String { text("outcome.would_be_refused", "would be refused") }
    static var outcomeWouldBeDone: String { text("outcome.would_be_done", "would be done") }
    static var outcomeWithoutVideo: String { text("outcome.without_video", "without video: the app has none") }
    static func outcomeWouldStart(app: String) -> String { text("outcome.would_start", "would start: {app}", [("app", app)]) }
    static func outcomeWouldHold(call: String) -> String { text("outcome.would_hold", "would hold: {call}", [("call", call)]) }
    static func outcomeWouldEnd(call: String) -> String { text("outcome.would_end", "would end: {call}", [("call", call)]) }
    static func outcomeWouldSpeak(call: String) -> String { text("outcome.would_speak", "would speak: {call}", [("call", call)]) }
    static var outcomeAdded: String { text("outcome.added", "(added by the broker)") }
    static var outcomeSilentHold: String { text("outcome.silent_hold", "- the app did not answer, so the call has ended (rule 5b)") }
    static func outcomeAppReason(reason: String) -> String { text("outcome.app_reason", "- the app's reason: {reason}", [("reason", reason)]) }
    static var actionPlanned: String { text("action.planned", "planned") }
    static var actionQueued: String { text("action.queued", "queued") }
    static var actionDispatched: String { text("action.dispatched", "dispatched") }
    static var actionFulfilled: String { text("action.fulfilled", "fulfilled") }
    static var actionFailed: String { text("action.failed", "failed") }
    static var actionTimedOut: String { text("action.timed_out", "timed_out") }
    static var actionSkipped: String { text("action.skipped", "skipped") }
    static var actionCancelled: String { text("action.cancelled", "cancelled") }
    static var doctorOk: String { text("doctor.ok", "ok") }
    static var doctorWarning: String { text("doctor.warning", "warning") }
    static var doctorProblem: String { text("doctor.problem", "problem") }
    static var doctorPath: String { text("doctor.path", "path") }
    static var doctorSocket: String { text("doctor.socket", "socket") }
    static var doctorFolder: String { text("doctor.folder", "folder") }
    static var doctorBroker: String { text("doctor.broker", "broker") }
    static var doctorRelease: String { text("doctor.release", "release") }
    static var doctorScreen: String { text("doctor.screen", "screen") }
    static var doctorApps: String { text("doctor.apps", "apps") }
    static var doctorApp: String { text("doctor.app", "app") }
    static var doctorLine: String { text("doctor.line", "line") }
    static var doctorCall: String { text("doctor.call", "call") }
    static var doctorPolicy: String { text("doctor.policy", "policy") }
    static var doctorFrames: String { text("doctor.frames", "frames") }
    static var doctorConnections: String { text("doctor.connections", "connections") }
    static var doctorPlugin: String { text("doctor.plugin", "plugin") }
    static var doctorPlugins: String { text("doctor.plugins", "plugins") }
    static var doctorJournal: String { text("doctor.journal", "journal") }
    static var doctorStore: String { text("doctor.store", "store") }
    static var doctorDoNotDisturb: String { text("doctor.do_not_disturb", "do-not-disturb") }
    static var doctorUnknownCallers: String { text("doctor.unknown_callers", "unknown callers") }
    static var doctorAddresses: String { text("doctor.addresses", "addresses") }
    static var doctorNetwork: String { text("doctor.network", "network") }
    static func doctorFromOption(path: String) -> String { text("doctor.from_option", "{path}, from --socket", [("path", path)]) }
    static func doctorFromEnvironment(path: String) -> String { text("doctor.from_environment", "{path}, from BROKER_SOCKET", [("path", path)]) }
    static func doctorFromDefault(path: String) -> String { text("doctor.from_default", "{path}, the default", [("path", path)]) }
    static func doctorFolderOpen(folder: String, mode: String) -> String { text("doctor.folder_open", "other users may write to {folder} ({mode})", [("folder", folder), ("mode", mode)]) }
    static func doctorPathLong(bytes: String, most: String) -> String { text("doctor.path_long", "the path has {bytes} bytes, and a socket takes {most}", [("bytes", bytes), ("most", most)]) }
    static var doctorPathLongHint: String { text("doctor.path_long_hint", "choose a shorter path with --socket or BROKER_SOCKET") }
    static func doctorNoRuntime(folder: String) -> String { text("doctor.no_runtime", "the runtime folder {folder} does not exist, so no unit can open a socket in it", [("folder", folder)]) }
    static var doctorNoRuntimeHint: String { text("doctor.no_runtime_hint", "log in again, or: sudo loginctl enable-linger $USER") }
    static func doctorNoSocket(path: String) -> String { text("doctor.no_socket", "{path} does not exist", [("path", path)]) }
    static func doctorNotASocket(path: String) -> String { text("doctor.not_a_socket", "{path} is not a socket", [("path", path)]) }
    static var doctorNotASocketHint: String { text("doctor.not_a_socket_hint", "move the file away, or choose another path with --socket") }
    static func doctorForeignSocket(user: String) -> String { text("doctor.foreign_socket", "the socket belongs to user {user}", [("user", user)]) }
    static var doctorForeignSocketHint: String { text("doctor.foreign_socket_hint", "a broker serves its own user only: start your own") }
    static func doctorOpenSocket(mode: String) -> String { text("doctor.open_socket", "other users can connect ({mode}); the broker refuses them", [("mode", mode)]) }
    static func doctorOwnSocket(mode: String) -> String { text("doctor.own_socket", "yours, {mode}", [("mode", mode)]) }
    static func doctorUptime(release: String, seconds: String) -> String { text("doctor.uptime", "release {release}, up for {seconds} s", [("release", release), ("seconds", seconds)]) }
    static func doctorScreenPresents(screen: String) -> String { text("doctor.screen_presents", "{screen} presents calls", [("screen", screen)]) }
    static func doctorReleasesDiffer(broker: String, tool: String) -> String { text("doctor.releases_differ", "the broker is {broker}, this tool {tool}", [("broker", broker), ("tool", tool)]) }
    static var doctorReleasesDifferHint: String { text("doctor.releases_differ_hint", "restart the broker: systemctl --user restart callbroker") }
    static var doctorNoApps: String { text("doctor.no_apps", "no apps are registered") }
    static var doctorNoAppsHint: String { text("doctor.no_apps_hint", "start an app") }
    static func doctorAppConnected(app: String, kind: String, calls: String) -> String { text("doctor.app_connected", "{app} ({kind}) is connected, calls: {calls}", [("app", app), ("kind", kind), ("calls", calls)]) }
    static func doctorAppLost(app: String, kind: String, calls: String) -> String { text("doctor.app_lost", "{app} ({kind}) is not connected; its calls: {calls}", [("app", app), ("kind", kind), ("calls", calls)]) }
    static var doctorAppLostHint: String { text("doctor.app_lost_hint", "restart the app; its calls end unless it reconnects soon") }
    static func doctorLineState(line: String, app: String, state: String) -> String { text("doctor.line_state", "{line} of {app}: {state}", [("line", line), ("app", app), ("state", state)]) }
    static var doctorLineFailedHint: String { text("doctor.line_failed_hint", "check the password and the registrar of the account in the app, and the network") }
    static func doctorCallWaits(call: String, pending: String, app: String) -> String { text("doctor.call_waits", "{call} is {pending}: {app} has not answered yet", [("call", call), ("pending", pending), ("app", app)]) }
    static var doctorNoHeartbeat: String { text("doctor.no_heartbeat", "hanging apps are not detected: heartbeat_ms is 0") }
    static func doctorClaimsIgnored(app: String, direction: String) -> String { text("doctor.claims_ignored", "emergency claims of {app} are ignored ({direction}: ask)", [("app", app), ("direction", direction)]) }
    static func doctorDefaultUnknown(scheme: String, app: String) -> String { text("doctor.default_unknown", "the default app for {scheme}: is {app}, which is not registered", [("scheme", scheme), ("app", app)]) }
    static func doctorDefaultUnauthorized(scheme: String, app: String) -> String { text("doctor.default_unauthorized", "the default app for {scheme}: is {app}, which cannot have calls", [("scheme", scheme), ("app", app)]) }
    static func doctorBadFrames(number: String) -> String { text("doctor.bad_frames", "clients have sent {number} invalid frames", [("number", number)]) }
    static var doctorBadFramesHint: String { text("doctor.bad_frames_hint", "record the client's frames, and run: callbroker lint FILE") }
    static func doctorRejected(number: String) -> String { text("doctor.rejected", "{number} were rejected: too many, or too fast", [("number", number)]) }
    static func doctorPluginsChecked(number: String) -> String { text("doctor.plugins_checked", "{number} checked", [("number", number)]) }
    static func doctorUnknownCallersSilent(policy: String) -> String { text("doctor.unknown_callers_silent", "callers who are no contacts do not ring ({policy})", [("policy", policy)]) }
    static var doctorQuiet: String { text("doctor.quiet", "it is on: calls do not ring") }
    static var doctorQuietScheduled: String { text("doctor.quiet_scheduled", "its schedule is in effect now: calls do not ring") }
    static var doctorQuietScheduledHint: String { text("doctor.quiet_scheduled_hint", "callbroker dnd shows the schedule; callbroker dnd schedule clears it") }
    static var doctorNoScreen: String { text("doctor.no_screen", "none is connected: only apps that ring by themselves are heard") }
    static var doctorNoScreenHint: String { text("doctor.no_screen_hint", "start a screen, such as the plugin notify: callbroker plugin list") }
    static func doctorNoScheme(schemes: String) -> String { text("doctor.no_scheme", "no app opens links with {schemes}:", [("schemes", schemes)]) }
    static func doctorSchemeOr(scheme: String, other: String) -> String { text("doctor.scheme_or", "{scheme}: or {other}", [("scheme", scheme), ("other", other)]) }
    static var doctorNoSchemeHint: String { text("doctor.no_scheme_hint", "start an app that registers the scheme; callbroker providers shows what each has") }
    static var doctorNoPluginFolder: String { text("doctor.no_plugin_folder", "there is no folder of plugins, so none is started") }
    static func doctorNoNetwork(plugins: String) -> String { text("doctor.no_network", "the service manager refuses network sockets to {plugins}", [("plugins", plugins)]) }
    static var doctorNoNetworkHint: String { text("doctor.no_network_hint", "systemctl --user edit callbroker.service: in [Service], RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK") }
    static func doctorJournalKept(bytes: String) -> String { text("doctor.journal_kept", "kept, {bytes} bytes", [("bytes", bytes)]) }
    static func doctorJournalFailing(reason: String) -> String { text("doctor.journal_failing", "calls would be lost on a restart of the broker: {reason}", [("reason", reason)]) }
    static var doctorJournalFullHint: String { text("doctor.journal_full_hint", "free some space; the broker retries every second") }
    static var doctorJournalFailingHint: String { text("doctor.journal_failing_hint", "correct the cause; the broker retries every second") }
    static var doctorJournalTest: String { text("doctor.journal_test", "none, in test mode") }
    static var doctorJournalOff: String { text("doctor.journal_off", "none: a restart of the broker ends all calls") }
    static var doctorJournalOffHint: String { text("doctor.journal_off_hint", "start the broker without --no-journal") }
    static func doctorJournalSaved(path: String) -> String { text("doctor.journal_saved", "a damaged journal, or one of another host, was saved: {path}", [("path", path)]) }
    static func doctorJournalSavedHint(path: String) -> String { text("doctor.journal_saved_hint", "see the broker's log, then: rm {path}", [("path", path)]) }
    static func doctorSettingsSaved(path: String) -> String { text("doctor.settings_saved", "unreadable plugin settings were saved: {path}", [("path", path)]) }
    static func doctorSettingsSavedHint(path: String) -> String { text("doctor.settings_saved_hint", "repeat them with callbroker plugin set and disable; see the broker's log, then: rm {path}", [("path", path)]) }
    static var doctorStoreKept: String { text("doctor.store_kept", "blocks, contacts and history are available") }
    static func doctorStoreFailing(reason: String) -> String { text("doctor.store_failing", "blocks, contacts and history are not available: {reason}", [("reason", reason)]) }
    static var doctorStoreFailingHint: String { text("doctor.store_failing_hint", "correct the cause; the broker retries, and applies the blocks that it remembers until then") }
    static var doctorStoreNone: String { text("doctor.store_none", "none") }
    static func doctorAppDenied(app: String) -> String { text("doctor.app_denied", "{app} is denied, and cannot have calls", [("app", app)]) }
    static func doctorAppWaits(app: String) -> String { text("doctor.app_waits", "{app} is not authorized yet, and cannot have calls", [("app", app)]) }
    static func screensMissing(program: String) -> String { text("screens.missing", "{program} is not installed; install the package callbroker-screens, or from the sources: make install", [("program", program)]) }
    static func screensNotStarted(program: String, reason: String) -> String { text("screens.not_started", "{program} does not start: {reason}", [("program", program), ("reason", reason)]) }
    static var emptyBlocks: String { text("empty.blocks", "no blocks") }
    static var emptyGrants: String { text("empty.grants", "no grants") }
    static var emptyQuestions: String { text("empty.questions", "no questions") }
    static var emptyDirectories: String { text("empty.directories", "no directories") }
    static var emptyContacts: String { text("empty.contacts", "no contacts") }
    static var emptyHistory: String { text("empty.history", "the history is empty") }
    static var headingCall: String { text("heading.call", "CALL") }
    static var headingEndpoint: String { text("heading.endpoint", "ENDPOINT") }
    static var headingKind: String { text("heading.kind", "KIND") }
    static var headingOf: String { text("heading.of", "OF") }
    static var endpointNone: String { text("endpoint.none", "no audio endpoints") }
    static var endpointOfHost: String { text("endpoint.of_host", "the host") }
    static var endpointAvailable: String { text("endpoint.available", "available") }
    static var endpointInUse: String { text("endpoint.in_use", "in use") }
    static var endpointUnavailable: String { text("endpoint.unavailable", "unavailable") }
    static func endpointSet(endpoint: String) -> String { text("endpoint.set", "sound: {endpoint}", [("endpoint", endpoint)]) }
    static var headingLine: String { text("heading.line", "LINE") }
    static var headingSetting: String { text("heading.setting", "SETTING") }
    static var headingApp: String { text("heading.app", "APP") }
    static var headingState: String { text("heading.state", "STATE") }
    static var headingWith: String { text("heading.with", "WITH") }
    static var headingAllowed: String { text("heading.allowed", "ALLOWED") }
    static var headingName: String { text("heading.name", "NAME") }
    static var headingConnected: String { text("heading.connected", "CONNECTED") }
    static var headingAuthorized: String { text("heading.authorized", "AUTHORIZED") }
    static var headingCalls: String { text("heading.calls", "CALLS") }
    static var headingAddresses: String { text("heading.addresses", "ADDRESSES") }
    static var headingAddress: String { text("heading.address", "ADDRESS") }
    static var headingEntry: String { text("heading.entry", "ENTRY") }
    static var headingWhen: String { text("heading.when", "WHEN") }
    static var headingNumber: String { text("heading.number", "NUMBER") }
    static var headingDuration: String { text("heading.duration", "FOR") }
    static var headingIncoming: String { text("heading.incoming", "IN") }
    static var headingMissed: String { text("heading.missed", "MISSED") }
    static var headingLast: String { text("heading.last", "LATEST") }
    static var headingEnd: String { text("heading.end", "END") }
    static var headingWho: String { text("heading.who", "WHO") }
    static var headingSince: String { text("heading.since", "SINCE") }
    static var headingWhy: String { text("heading.why", "WHY") }
    static var headingPlugin: String { text("heading.plugin", "PLUGIN") }
    static var headingStart: String { text("heading.start", "START") }
    static var headingProcess: String { text("heading.process", "PID") }
    static var headingProgram: String { text("heading.program", "PROGRAM") }
    static var headingSandbox: String { text("heading.sandbox", "SANDBOX") }
    static var headingUnit: String { text("heading.unit", "UNIT") }
    static var headingRoles: String { text("heading.roles", "ROLES") }
    static var headingQuestion: String { text("heading.question", "QUESTION") }
    static var headingWhat: String { text("heading.what", "MAY") }
    static var headingUser: String { text("heading.user", "USER") }
    static var headingSees: String { text("heading.sees", "SEES") }
    static var headingUntil: String { text("heading.until", "UNTIL") }
    static var headingConnections: String { text("heading.connections", "CONNECTIONS") }
    static var headingInstalled: String { text("heading.installed", "INSTALLED") }
    static var headingDescription: String { text("heading.description", "DESCRIPTION") }
    static var headingContact: String { text("heading.contact", "CONTACT") }
    static var headingTime: String { text("heading.time", "TIME") }
    static var headingTransaction: String { text("heading.transaction", "REQUEST") }
    static var headingActions: String { text("heading.actions", "ACTIONS") }
    static var headingBy: String { text("heading.by", "BY") }
    static var headingWaited: String { text("heading.waited", "WAITED") }
    static var headingRan: String { text("heading.ran", "RAN") }
    static var listYes: String { text("list.yes", "yes") }
    static var listNo: String { text("list.no", "no") }
    static var listDenied: String { text("list.denied", "denied") }
    static var listWaiting: String { text("list.waiting", "waiting") }
    static func listAuthorize(problem: String, command: String) -> String { text("list.authorize", "{problem}; to authorize it: {command}", [("problem", problem), ("command", command)]) }
    static func listStarts(app: String, name: String) -> String { text("list.starts", "{app} is started by {name} when a call needs it", [("app", app), ("name", name)]) }
    static func listStartable(app: String, name: String) -> String { text("list.startable", "{app} does not run; a call starts it by {name}", [("app", app), ("name", name)]) }
    static func listBusName(name: String) -> String { text("list.bus_name", "D-Bus {name}", [("name", name)]) }
    static func errorUnknownCommand(command: String, help: String) -> String { text("error.unknown_command", "unknown command \"{command}\"; see {help}", [("command", command), ("help", help)]) }
    static func errorUnknownCommandNear(command: String, name: String) -> String { text("error.unknown_command_near", "unknown command \"{command}\"; did you mean \"{name}\"?", [("command", command), ("name", name)]) }
    static func errorDidYouMean(names: String) -> String { text("error.did_you_mean", "did you mean: {names}", [("names", names)]) }
    static var errorChooseProvider: String { text("error.choose_provider", "choose one with --provider, or for all calls to one contact: callbroker contact put --provider APP NAME ADDRESS") }
    static func errorChooseDefault(scheme: String) -> String { text("error.choose_default", "choose one with --provider, or for all calls to one contact: callbroker contact put --provider APP NAME ADDRESS; or for all calls: callbroker policy set default_provider.{scheme}=APP", [("scheme", scheme)]) }
    static func errorHint(hint: String) -> String { text("error.hint", "hint: {hint}", [("hint", hint)]) }
    static func errorLimit(value: String, name: String) -> String { text("error.limit", "limit: {value} ({name})", [("value", value), ("name", name)]) }
    static func errorCandidates(name: String) -> String { text("error.candidates", "candidates: {name}", [("name", name)]) }
    static func errorAppReason(reason: String) -> String { text("error.app_reason", "the app's reason: {reason}", [("reason", reason)]) }
    static func errorInTheWay(call: String) -> String { text("error.in_the_way", "in the way: {call}", [("call", call)]) }
    static func errorMoreInTheWay(count: Int64) -> String { text("error.more_in_the_way", [.one: "in the way: {count} more", .other: "in the way: {count} more"], count: count) }
    static func callInGroup(call: String) -> String { text("call.in_group", "with {call}", [("call", call)]) }
    static func intentUnknown(examples: String) -> String { text("intent.unknown", "the sentence was not understood; understood are, for example:{examples}", [("examples", examples)]) }
    static var intentNoSentences: String { text("intent.no_sentences", "the sentences are not installed: share/callbroker/messages/sentences is missing; install CallBroker again") }
    static func callNoAddress(words: String) -> String { text("call.no_address", "no contact is named \"{words}\", and an address needs a scheme, such as sip:{words}; without one: callbroker start {words}", [("words", words)]) }
    static func callRingsSilently(call: String) -> String { text("call.rings_silently", "{call} rings silently", [("call", call)]) }
    static func callHasPriority(call: String) -> String { text("call.has_priority", "{call} has priority", [("call", call)]) }
    static func mayRingRings(rule: String) -> String { text("may_ring.rings", "it would ring (rule {rule})", [("rule", rule)]) }
    static func mayRingSilent(rule: String) -> String { text("may_ring.silent", "it would ring without sound (rule {rule})", [("rule", rule)]) }
    static func mayRingWaits(rule: String) -> String { text("may_ring.waits", "it would wait behind another call (rule {rule})", [("rule", rule)]) }
    static func mayRingUnasked(names: String) -> String { text("may_ring.unasked", "not asked, because they do not run: {names}", [("names", names)]) }
    static var questionCalls: String { text("question.calls", "have calls") }
    static var questionOutgoingEmergencies: String { text("question.outgoing_emergencies", "mark the calls that it starts as emergencies") }
    static var questionIncomingEmergencies: String { text("question.incoming_emergencies", "mark the calls that it reports as emergencies") }
    static var questionAnswered: String { text("question.answered", "answered") }
    static var grantAllCalls: String { text("grant.all_calls", "all calls") }
    static var grantOwnCalls: String { text("grant.own_calls", "its own calls") }
    static var grantNames: String { text("grant.names", "numbers and names") }
    static var grantNoNames: String { text("grant.no_names", "no numbers and names") }
    static var grantRevoked: String { text("grant.revoked", "revoked") }
    static func grantUnknown(name: String) -> String { text("grant.unknown", "there is no grant {name}; callbroker grant lists them", [("name", name)]) }
    static var userBlocked: String { text("user.blocked", "blocked") }
    static func userNotBlocked(address: String) -> String { text("user.not_blocked", "{address} is not blocked; callbroker block lists the blocks", [("address", address)]) }
    static func userSeveralBlocks(words: String) -> String { text("user.several_blocks", "several blocks match \"{words}\"; name one", [("words", words)]) }
    static func userRemoved(value: String) -> String { text("user.removed", "removed: {value}", [("value", value)]) }
    static func userImported(value: String) -> String { text("user.imported", "imported: {value}", [("value", value)]) }
    static var fileStandardInput: String { text("file.standard_input", "standard input") }
    static func fileTooLong(file: String, bytes: String) -> String { text("file.too_long", "{file} has more than {bytes} bytes", [("file", file), ("bytes", bytes)]) }
    static func importLine(line: String, problem: String) -> String { text("import.line", "line {line}: {problem}", [("line", line), ("problem", problem)]) }
    static func importLineNotImported(line: String, problem: String) -> String { text("import.line_not_imported", "line {line}: {problem}; nothing was imported", [("line", line), ("problem", problem)]) }
    static func importFileNotImported(file: String, problem: String) -> String { text("import.file_not_imported", "{file}: {problem}; nothing was imported", [("file", file), ("problem", problem)]) }
    static func importFileNotLoaded(file: String, problem: String) -> String { text("import.file_not_loaded", "{file}: {problem}; nothing was loaded", [("file", file), ("problem", problem)]) }
    static func importUnknownForm(file: String) -> String { text("import.unknown_form", "{file} is neither .csv nor .ndjson", [("file", file)]) }
    static var importNotUtf8: String { text("import.not_utf8", "not valid UTF-8") }
    static func importLongLine(bytes: String) -> String { text("import.long_line", "longer than {bytes} bytes", [("bytes", bytes)]) }
    static var importOpenQuote: String { text("import.open_quote", "the closing quotation mark is missing") }
    static var importNoComma: String { text("import.no_comma", "a comma must follow the closing quotation mark") }
    static func importNoColumn(column: String) -> String { text("import.no_column", "no column is named {column}", [("column", column)]) }
    static func importNoValue(column: String) -> String { text("import.no_value", "{column} is missing", [("column", column)]) }
    static func importNotTime(column: String) -> String { text("import.not_time", "{column} must be a time such as 2026-03-01T07:30:00Z", [("column", column)]) }
    static func importNotOneOf(column: String, words: String) -> String { text("import.not_one_of", "{column} must be one of {words}", [("column", column), ("words", words)]) }
    static func importNotUuid(column: String) -> String { text("import.not_uuid", "{column} must be a UUID", [("column", column)]) }
    static var importTypeWords: String { text("import.type_words", "type must be phone, email or generic") }
    static var importPrefixWords: String { text("import.prefix_words", "prefix must be true or false") }
    static var importHoldsNul: String { text("import.holds_nul", "contains a NUL character") }
    static var importNoColon: String { text("import.no_colon", "expected a colon between a name and its value") }
    static var importNoPropertyName: String { text("import.no_property_name", "expected a property name") }
    static var importNoParameterName: String { text("import.no_parameter_name", "expected a parameter name") }
    static var importContinuation: String { text("import.continuation", "a continuation without a line before it") }
    static var importCardInside: String { text("import.card_inside", "a card begins inside another one") }
    static var importNoBegin: String { text("import.no_begin", "expected BEGIN:VCARD") }
    static var importNoVersion: String { text("import.no_version", "the card has no VERSION") }
    static var importNoName: String { text("import.no_name", "the card has no name (FN) and no address") }
    static var importDuplicate: String { text("import.duplicate", "an earlier card has the same UID or the same contents") }
    static func importNoEnd(line: String) -> String { text("import.no_end", "the card that begins in line {line} has no END", [("line", line)]) }
    static func importTooManyCards(most: String) -> String { text("import.too_many_cards", "more than {most} cards", [("most", most)]) }
    static func importTooManyAddresses(most: String) -> String { text("import.too_many_addresses", "the card has more than {most} addresses", [("most", most)]) }
    static var importQuotedPrintable: String { text("import.quoted_printable", "quoted-printable belongs to vCard 2.1: export the file as version 3.0 or 4.0") }
    static var importCharset: String { text("import.charset", "only UTF-8 is supported: export the file as version 3.0 or 4.0") }
    static var importVersion: String { text("import.version", "expected version 3.0 or 4.0: export the file as one of these") }
    static var importNoApp: String { text("import.no_app", "expected the name of an app, such as org.example.phone") }
    static func importLongAddress(bytes: String) -> String { text("import.long_address", "an address has more than {bytes} bytes", [("bytes", bytes)]) }
    static func importLongName(bytes: String) -> String { text("import.long_name", "the card's name has more than {bytes} bytes", [("bytes", bytes)]) }
    static func importLongId(bytes: String) -> String { text("import.long_id", "the UID has more than {bytes} bytes", [("bytes", bytes)]) }
    static var importNoSeparator: String { text("import.no_separator", "expected a separator after the closing quotation mark") }
    static var importRepeatedColumn: String { text("import.repeated_column", "two columns have the same name") }
    static func importNotTruth(column: String) -> String { text("import.not_truth", "column {column}: expected true or false", [("column", column)]) }
    static func importNotJson(column: String, message: String) -> String { text("import.not_json", "column {column}: {message}", [("column", column), ("message", message)]) }
    static var importNotObject: String { text("import.not_object", "expected an object") }
    static var importNumberType: String { text("import.number_type", "number: expected a string or an integer") }
    static var importLabelType: String { text("import.label_type", "label: expected a string") }
    static var importBlockedType: String { text("import.blocked_type", "blocked: expected true or false") }
    static var importUnknownMember: String { text("import.unknown_member", "unknown member: expected number, label and blocked only") }
    static var importRepeatedNumber: String { text("import.repeated_number", "the number repeats that of the previous line") }
    static var importLowerNumber: String { text("import.lower_number", "the number is lower than the previous one: sort the list by number") }
    static var importNoLabel: String { text("import.no_label", "expected a label or a blocked number") }
    static var importIncompleteNumber: String { text("import.incomplete_number", "the number is incomplete") }
    static var importNumberWithoutCountry: String { text("import.number_without_country", "the number is incomplete: add a country code, or give a region for the list") }
    static func userMarked(value: String) -> String { text("user.marked", "marked: {value}", [("value", value)]) }
    static var userNoneRemoved: String { text("user.none_removed", "nothing was removed") }
    static func userNoContact(words: String) -> String { text("user.no_contact", "no contact has the id or name \"{words}\"; \"callbroker contact\" lists the contacts", [("words", words)]) }
    static var userContactFavorite: String { text("user.contact_favorite", "favorite") }
    static var userContactBreaksThrough: String { text("user.contact_breaks_through", "breaks through") }
    static func userSeveralContactsNamed(name: String) -> String { text("user.several_contacts_named", "several contacts are named \"{name}\"; name one with --id, or add --another", [("name", name)]) }
    static func userSeveralContacts(words: String) -> String { text("user.several_contacts", "several contacts match \"{words}\"; name one by its id", [("words", words)]) }
    static func userSeveralAddresses(name: String) -> String { text("user.several_addresses", "{name} has several addresses; dial one", [("name", name)]) }
    static func userNoAddress(name: String) -> String { text("user.no_address", "{name} has no address", [("name", name)]) }
    static func userCardsSkipped(number: String) -> String { text("user.cards_skipped", "skipped, without a number or an address: {number}", [("number", number)]) }
    static var userNoEntry: String { text("user.no_entry", "the history has no such entry; callbroker history lists them") }
    static var userNoEntryMatches: String { text("user.no_entry_matches", "the history has no entry that matches") }
    static func userEntryUnknown(number: String) -> String { text("user.entry_unknown", "the history has no entry {number}; callbroker history lists them", [("number", number)]) }
    static func userEntryWithoutRemote(number: String) -> String { text("user.entry_without_remote", "the remote party of entry {number} is unknown", [("number", number)]) }
    static var userClearHistory: String { text("user.clear_history", "Remove the whole history?") }
    static var userClearMatching: String { text("user.clear_matching", "Remove the entries that match from the history?") }
    static var userDirectory: String { text("user.directory", "DIRECTORY") }
    static var userDirectoryEntries: String { text("user.directory_entries", "ENTRIES") }
    static var userDirectoryOn: String { text("user.directory_on", "on") }
    static var userDirectoryOff: String { text("user.directory_off", "off") }
    static func userDirectoryLoading(state: String) -> String { text("user.directory_loading", "{state}, being loaded", [("state", state)]) }
    static func userDirectoryAccepted(number: String) -> String { text("user.directory_accepted", "accepted: {number}", [("number", number)]) }
    static func userDirectoryTotal(number: String) -> String { text("user.directory_total", "total: {number}", [("number", number)]) }
    static func userNoDirectory(name: String) -> String { text("user.no_directory", "no directory is named {name}; callbroker directory lists them", [("name", name)]) }
    static func userSchedulePeriod(days: String, from: String, to: String) -> String { text("user.schedule_period", "{days} {from} to {to}", [("days", days), ("from", from), ("to", to)]) }
    static func userBackup(file: String, bytes: String) -> String { text("user.backup", "{file}, {bytes} bytes", [("file", file), ("bytes", bytes)]) }
    static var userBackupWithoutFolder: String { text("user.backup_without_folder", "the broker has named no folder of a backup") }
    static func userRestored(folder: String) -> String { text("user.restored", "restored into {folder}; start the broker to use it", [("folder", folder)]) }
    static func userRestoreHasData(folder: String) -> String { text("user.restore_has_data", "{folder} has data already: --replace keeps it as replaced-N", [("folder", folder)]) }
    static func userRestoreInUse(folder: String) -> String { text("user.restore_in_use", "the state folder {folder} is in use: stop it, or restore into another folder with --state-dir", [("folder", folder)]) }
    static func userRestoreInUseBy(folder: String, process: String) -> String { text("user.restore_in_use_by", "the state folder {folder} is in use by process {process}: stop it, or restore into another folder with --state-dir", [("folder", folder), ("process", process)]) }
    static func userBackupNoCopies(folder: String) -> String { text("user.backup_no_copies", "there are no copies in {folder}: run this where the broker runs", [("folder", folder)]) }
    static func userBackupTooLarge(file: String) -> String { text("user.backup_too_large", "{file} is too large for an archive", [("file", file)]) }
    static func userBackupChanged(file: String) -> String { text("user.backup_changed", "{file} has changed while it was read", [("file", file)]) }
    static var userBackupNoPolicy: String { text("user.backup_no_policy", "the backup has no policy") }
    static func userBackupUnreadablePolicy(reason: String) -> String { text("user.backup_unreadable_policy", "the policy of the backup cannot be read: {reason}", [("reason", reason)]) }
    static func userBackupInvalidSettings(reason: String) -> String { text("user.backup_invalid_settings", "the plugin settings of the backup are invalid: {reason}", [("reason", reason)]) }
    static func userBackupDamaged(reason: String) -> String { text("user.backup_damaged", "the backup is damaged: {reason}", [("reason", reason)]) }
    static var userBackupIncomplete: String { text("user.backup_incomplete", "the file is not a whole backup") }
    static var userBackupForeign: String { text("user.backup_foreign", "the file is not a backup of callbroker") }
    static func choiceApps(names: String) -> String { text("choice.apps", "several apps match: {names}", [("names", names)]) }
    static func choicePlugins(names: String) -> String { text("choice.plugins", "several plugins match: {names}", [("names", names)]) }
    static func choiceApp(words: String) -> String { text("choice.app", "several apps match \"{words}\"; name one by its identity", [("words", words)]) }
    static var callNoneToAnswer: String { text("call.none_to_answer", "no call can be answered now") }
    static var callSeveralToAnswer: String { text("call.several_to_answer", "several calls can be answered; name one") }
    static var callNoneToDecline: String { text("call.none_to_decline", "no call can be declined now") }
    static var callSeveralToDecline: String { text("call.several_to_decline", "several calls can be declined; name one") }
    static var callNoneToEnd: String { text("call.none_to_end", "no call can be ended now") }
    static var callSeveralToEnd: String { text("call.several_to_end", "several calls can be ended; name one") }
    static var callNoneToSilence: String { text("call.none_to_silence", "no call can be silenced now") }
    static var callSeveralToSilence: String { text("call.several_to_silence", "several calls can be silenced; name one") }
    static var callNoneToPrioritize: String { text("call.none_to_prioritize", "no call rings or waits now") }
    static var callSeveralToPrioritize: String { text("call.several_to_prioritize", "several calls ring or wait; name one") }
    static var callNoneToHold: String { text("call.none_to_hold", "no call can be held now") }
    static var callSeveralToHold: String { text("call.several_to_hold", "several calls can be held; name one") }
    static var callNoneToResume: String { text("call.none_to_resume", "no call can be resumed now") }
    static var callSeveralToResume: String { text("call.several_to_resume", "several calls can be resumed; name one") }
    static var callNoneToSwap: String { text("call.none_to_swap", "no call can be swapped now") }
    static var callSeveralToSwap: String { text("call.several_to_swap", "several calls can be swapped; name one") }
    static var callNoneToMute: String { text("call.none_to_mute", "no call can be muted now") }
    static var callSeveralToMute: String { text("call.several_to_mute", "several calls can be muted; name one") }
    static var callNoneToUnmute: String { text("call.none_to_unmute", "no call can be unmuted now") }
    static var callSeveralToUnmute: String { text("call.several_to_unmute", "several calls can be unmuted; name one") }
    static func callTonesContinued(call: String) -> String { text("call.tones_continued", "sent the tones of call {call} that waited", [("call", call)]) }
    static func callTonesDropped(call: String) -> String { text("call.tones_dropped", "dropped the tones of call {call} that waited", [("call", call)]) }
    static var callNoneToSendTones: String { text("call.none_to_send_tones", "no call can be sent tones now") }
    static var callSeveralToSendTones: String { text("call.several_to_send_tones", "several calls can be sent tones; name one") }
    static var callNoneToMerge: String { text("call.none_to_merge", "no call can be merged now") }
    static var callSeveralToMerge: String { text("call.several_to_merge", "several calls can be merged; name one") }
    static var callNoneToTransfer: String { text("call.none_to_transfer", "no call can be transferred now") }
    static var callSeveralToTransfer: String { text("call.several_to_transfer", "several calls can be transferred; name one") }
    static var callNoneToJoin: String { text("call.none_to_join", "no calls can be joined now") }
    static var callSeveralToJoin: String { text("call.several_to_join", "several calls can be joined; name two") }
    static var callNeededToJoin: String { text("call.needed_to_join", "no calls can be joined now: needs two calls of one app that can do it, active or held") }
    static var callNoneToPull: String { text("call.none_to_pull", "no call can be brought here now") }
    static var callSeveralToPull: String { text("call.several_to_pull", "several calls can be brought here; name one") }
    static func callElsewhere(device: String) -> String { text("call.elsewhere", "on {device}", [("device", device)]) }
    static func historyElsewhere(end: String, device: String) -> String { text("history.elsewhere", "{end} ({device})", [("end", end), ("device", device)]) }
    static var callNoneToDeflect: String { text("call.none_to_deflect", "no call can be sent elsewhere now") }
    static var callSeveralToDeflect: String { text("call.several_to_deflect", "several calls can be sent elsewhere; name one") }
    static var callNoneForVideo: String { text("call.none_for_video", "the video of no call can be changed now") }
    static var callSeveralForVideo: String { text("call.several_for_video", "the video of several calls can be changed; name one") }
    static var callNoVideoRequest: String { text("call.no_video_request", "the other side of that call does not ask for video") }
    static var callNoneForText: String { text("call.none_for_text", "the real-time text of no call can be changed now") }
    static var callSeveralForText: String { text("call.several_for_text", "the real-time text of several calls can be changed; name one") }
    static var callNoTextRequest: String { text("call.no_text_request", "the other side of that call does not ask for text") }
    static var callNoneToTypeOn: String { text("call.none_to_type_on", "no call is active") }
    static var callSeveralToTypeOn: String { text("call.several_to_type_on", "several calls are active; name one") }
    static var callNoneToSplit: String { text("call.none_to_split", "no call can be split off now") }
    static var callSeveralToSplit: String { text("call.several_to_split", "several calls can be split off; name one") }
    static var callNoneToShow: String { text("call.none_to_show", "no call can be shown now") }
    static var callSeveralToShow: String { text("call.several_to_show", "several calls can be shown; name one") }
    static var callNeededToMerge: String { text("call.needed_to_merge", "no call can be merged now: needs two calls of one app, active or held") }
    static var callNeededToSplit: String { text("call.needed_to_split", "no call can be split off now: needs a conference") }
    static func callNoneAtAll(sentence: String) -> String { text("call.none_at_all", "{sentence}: there are no calls", [("sentence", sentence)]) }
    static func callNoneAllows(sentence: String) -> String { text("call.none_allows", "{sentence}; \"callbroker calls\" lists what each call allows", [("sentence", sentence)]) }
    static func callMatchesSeveral(name: String) -> String { text("call.matches_several", "\"{name}\" matches several calls; name one", [("name", name)]) }
    static func callMatchesNone(name: String) -> String { text("call.matches_none", "no call matches \"{name}\"; \"callbroker calls\" lists the calls", [("name", name)]) }
    static func connectionNoListener(path: String, reason: String) -> String { text("connection.no_listener", "no broker is listening on {path} ({reason})", [("path", path), ("reason", reason)]) }
    static func connectionNotAccepting(path: String) -> String { text("connection.not_accepting", "the broker on {path} does not accept connections", [("path", path)]) }
    static func connectionUnreachable(path: String, reason: String) -> String { text("connection.unreachable", "cannot connect to {path}: {reason}", [("path", path), ("reason", reason)]) }
    static var connectionNoReply: String { text("connection.no_reply", "the broker did not reply in time") }
    static var connectionClosed: String { text("connection.closed", "the broker closed the connection without a reply") }
    static var connectionTooManyEvents: String { text("connection.too_many_events", "the broker sent too many events before its reply") }
    static func connectionLongLine(bytes: String) -> String { text("connection.long_line", "the broker sent a line of more than {bytes} bytes", [("bytes", bytes)]) }
    static func connectionLongPath(path: String, bytes: String, most: String) -> String { text("connection.long_path", "the socket path {path} has {bytes} bytes, but a Unix socket takes at most {most}: choose a shorter one with --socket", [("path", path), ("bytes", bytes), ("most", most)]) }
    static var connectionNoPath: String { text("connection.no_path", "the socket path is empty or holds a NUL byte") }
    static func connectionNotJson(reason: String) -> String { text("connection.not_json", "the reply is not JSON: {reason}", [("reason", reason)]) }
    static func connectionStartOne(failure: String, command: String) -> String { text("connection.start_one", "{failure}; start one: {command}, or systemctl --user start callbroker.socket", [("failure", failure), ("command", command)]) }
    static func connectionStartHere(command: String) -> String { text("connection.start_here", "Start one in another terminal:   {command}", [("command", command)]) }
    static var connectionStartService: String { text("connection.start_service", "or, if it is installed:          systemctl --user start callbroker.socket") }
    static func connectionOldBroker(release: String, method: String) -> String { text("connection.old_broker", "the broker, release {release}, does not know {method}; restart it: systemctl --user restart callbroker", [("release", release), ("method", method)]) }
    static var callNotRinging: String { text("call.not_ringing", "the call is not ringing; to hang up: callbroker end") }
    static func pluginState(plugin: String, state: String) -> String { text("plugin.state", "{plugin}: {state}", [("plugin", plugin), ("state", state)]) }
    static func pluginEnabledWithoutBroker(plugin: String) -> String { text("plugin.enabled_without_broker", "{plugin}: enabled; no broker runs", [("plugin", plugin)]) }
    static func pluginRescanned(count: Int64) -> String { text("plugin.rescanned", [.other: "{count} plugins"], count: count) }
    static func pluginRescannedInvalid(count: Int64, invalid: String) -> String { text("plugin.rescanned_invalid", [.other: "{count} plugins, {invalid} invalid"], [("invalid", invalid)], count: count) }
    static var pluginSet: String { text("plugin.set", "set") }
    static var pluginSetWhenIdle: String { text("plugin.set_when_idle", "takes effect when the plugin has no calls") }
    static var pluginSetAtStart: String { text("plugin.set_at_start", "takes effect when the plugin is next started") }
    static var pluginNoProblems: String { text("plugin.no_problems", "no problems found") }
    static func pluginInstalled(plugin: String, path: String) -> String { text("plugin.installed", "installed {plugin} as {path}", [("plugin", plugin), ("path", path)]) }
    static func pluginUpdated(plugin: String, path: String) -> String { text("plugin.updated", "updated {plugin} from {path}", [("plugin", plugin), ("path", path)]) }
    static func pluginRemoved(plugin: String) -> String { text("plugin.removed", "removed {plugin}", [("plugin", plugin)]) }
    static var pluginNoFolder: String { text("plugin.no_folder", "the user's plugin folder is unknown: set HOME, or use --plugin-dir FOLDER") }
    static func pluginNotInstalled(plugin: String, path: String) -> String { text("plugin.not_installed", "{plugin} is not installed: callbroker plugin install {path}", [("plugin", plugin), ("path", path)]) }
    static func pluginOriginUnknown(plugin: String) -> String { text("plugin.origin_unknown", "it is unknown where {plugin} came from: callbroker plugin update PATH", [("plugin", plugin)]) }
    static func pluginAnotherNow(path: String, plugin: String, former: String) -> String { text("plugin.another_now", "{path} is another plugin now, {plugin}: install that, and remove {former}", [("path", path), ("plugin", plugin), ("former", former)]) }
    static func pluginIsLink(path: String, target: String) -> String { text("plugin.is_link", "{path} is a link to {target}: nothing to update", [("path", path), ("target", target)]) }
    static func pluginNoOwnFolder(path: String) -> String { text("plugin.no_own_folder", "{path} is not in a folder of its own: remove it, then install the new version", [("path", path)]) }
    static func pluginNoneInstalled(plugin: String, folder: String) -> String { text("plugin.none_installed", "no plugin {plugin} is installed in {folder}", [("plugin", plugin), ("folder", folder)]) }
    static func pluginNoneInstalledNear(plugin: String, folder: String, name: String) -> String { text("plugin.none_installed_near", "no plugin {plugin} is installed in {folder}: did you mean {name}?", [("plugin", plugin), ("folder", folder), ("name", name)]) }
    static func pluginUnknown(plugin: String) -> String { text("plugin.unknown", "unknown plugin {plugin}", [("plugin", plugin)]) }
    static func pluginUnknownNear(plugin: String, name: String) -> String { text("plugin.unknown_near", "unknown plugin {plugin}: did you mean {name}?", [("plugin", plugin), ("name", name)]) }
    static func pluginInstalledAlready(plugin: String, path: String, source: String) -> String { text("plugin.installed_already", "{plugin} is installed already, as {path}: callbroker plugin update {source}", [("plugin", plugin), ("path", path), ("source", source)]) }
    static func pluginLinkedAlready(plugin: String, path: String) -> String { text("plugin.linked_already", "{plugin} is installed already, as {path}: remove that first: callbroker plugin remove {plugin}", [("plugin", plugin), ("path", path)]) }
    static func pluginPathTaken(path: String, source: String) -> String { text("plugin.path_taken", "{path} exists already: rename {source}, or move it away", [("path", path), ("source", source)]) }
    static func pluginPathTakenBy(path: String, plugin: String, source: String) -> String { text("plugin.path_taken_by", "{path} exists already, and is {plugin}: rename {source}, or callbroker plugin remove {plugin}", [("path", path), ("plugin", plugin), ("source", source)]) }
    static func pluginHoldsFolder(path: String) -> String { text("plugin.holds_folder", "{path} has the plugin folder in it: name the plugin's own folder", [("path", path)]) }
    static var pluginFolderLocked: String { text("plugin.folder_locked", "the plugin folder is being changed: stop it, or wait for it") }
    static func pluginFolderLockedBy(process: String) -> String { text("plugin.folder_locked_by", "the plugin folder is being changed by process {process}: stop it, or wait for it", [("process", process)]) }
    static func pluginNotAFolder(path: String) -> String { text("plugin.not_a_folder", "{path} is not a folder: name the folder that has the manifest", [("path", path)]) }
    static func pluginHiddenFolder(path: String) -> String { text("plugin.hidden_folder", "the broker ignores folders whose names begin with a dot: rename {path}", [("path", path)]) }
    static func pluginNoManifest(folder: String) -> String { text("plugin.no_manifest", "{folder} has 0 files IDENTITY.plugin.json: write one, or name another folder", [("folder", folder)]) }
    static func pluginSeveralManifests(folder: String, number: String) -> String { text("plugin.several_manifests", "{folder} has {number} files IDENTITY.plugin.json: keep one of them", [("folder", folder), ("number", number)]) }
    static func pluginNotBuilt(file: String, path: String, command: String) -> String { text("plugin.not_built", "its program {file} cannot be run: build it first: cd {path} && {command}", [("file", file), ("path", path), ("command", command)]) }
    static func pluginNotExecutable(file: String) -> String { text("plugin.not_executable", "its program {file} cannot be run: build it, or make it executable (chmod +x)", [("file", file)]) }
    static var pluginNone: String { text("plugin.none", "no plugins") }
    static var pluginNoneBundled: String { text("plugin.none_bundled", "no plugins came with this program") }
    static func pluginOptionInteger(value: String) -> String { text("plugin.option_integer", "the value must be an integer, not {value}", [("value", value)]) }
    static func pluginOptionBoolean(value: String) -> String { text("plugin.option_boolean", "the value must be true or false, not {value}", [("value", value)]) }
    static func pluginOptionForm(word: String) -> String { text("plugin.option_form", "expected an option as NAME=VALUE, not {word}", [("word", word)]) }
    static var pluginOptionOneValue: String { text("plugin.option_one_value", "the option takes one value, or --default") }
    static func pluginNoOption(plugin: String, option: String) -> String { text("plugin.no_option", "{plugin} has no option {option}", [("plugin", plugin), ("option", option)]) }
    static func pluginNoOptionNear(plugin: String, option: String, name: String) -> String { text("plugin.no_option_near", "{plugin} has no option {option}: did you mean {name}?", [("plugin", plugin), ("option", option), ("name", name)]) }
    static var pluginInputEmpty: String { text("plugin.input_empty", "standard input is empty") }
    static var pluginStateDisabled: String { text("plugin.state_disabled", "disabled") }
    static var pluginStateMasked: String { text("plugin.state_masked", "masked") }
    static var pluginStateStopped: String { text("plugin.state_stopped", "stopped") }
    static var pluginStateStarting: String { text("plugin.state_starting", "starting") }
    static var pluginStateReady: String { text("plugin.state_ready", "ready") }
    static var pluginStateUnresponsive: String { text("plugin.state_unresponsive", "unresponsive") }
    static var pluginStateBackoff: String { text("plugin.state_backoff", "backoff") }
    static var pluginStateFailed: String { text("plugin.state_failed", "failed") }
    static func pluginStopping(state: String) -> String { text("plugin.stopping", "{state}, stopping", [("state", state)]) }
    static func pluginReloads(state: String) -> String { text("plugin.reloads", "{state}, reloads", [("state", state)]) }
    static func pluginWaits(state: String, seconds: String) -> String { text("plugin.waits", "{state}, {seconds} s", [("state", state), ("seconds", seconds)]) }
    static func pluginExitStatus(code: String) -> String { text("plugin.exit_status", "status {code}", [("code", code)]) }
    static func pluginExitSignal(number: String) -> String { text("plugin.exit_signal", "signal {number}", [("number", number)]) }
    static var pluginError: String { text("plugin.error", "error") }
    static var pluginWarning: String { text("plugin.warning", "warning") }
    static var watchReconnecting: String { text("watch.reconnecting", "connection lost; reconnecting") }
    static var watchEventsLost: String { text("watch.events_lost", "some events were lost") }
    static func watchWasHeldFor(call: String) -> String { text("watch.was_held_for", "was held for {call}", [("call", call)]) }
    static func watchGrace(milliseconds: String) -> String { text("watch.grace", "waits {milliseconds} ms", [("milliseconds", milliseconds)]) }
    static func watchMissed(number: String) -> String { text("watch.missed", "{number} missed", [("number", number)]) }
    static func watchParticipants(count: Int64) -> String { text("watch.participants", [.one: "{count} participant", .other: "{count} participants"], count: count) }
    static func watchAttempt(number: String) -> String { text("watch.attempt", "attempt {number}", [("number", number)]) }
    static var watchNotConnected: String { text("watch.not_connected", "(not connected)") }
    static func watchHost(live: String, held: String, ringing: String) -> String { text("watch.host", "live {live}, {held} held, {ringing} ringing", [("live", live), ("held", held), ("ringing", ringing)]) }
    static var watchBusy: String { text("watch.busy", "busy") }
    static var watchEmergency: String { text("watch.emergency", "emergency") }
    static var watchNone: String { text("watch.none", "none") }
    static func pushHandledWithCall(app: String) -> String { text("push.handled_with_call", "{app} has handled the push, and has reported a call", [("app", app)]) }
    static func pushHandledWithoutCall(app: String) -> String { text("push.handled_without_call", "{app} has handled the push without reporting a call", [("app", app)]) }
    static func pushHandled(app: String) -> String { text("push.handled", "{app} has handled the push", [("app", app)]) }
    static func pushDelivered(app: String) -> String { text("push.delivered", "the push was delivered to {app}", [("app", app)]) }
    static func pushStarted(app: String) -> String { text("push.started", "{app} is being started, and gets the push when it has registered", [("app", app)]) }
    static func pushWaits(app: String) -> String { text("push.waits", "the push waits until {app} has registered for it", [("app", app)]) }
    static func pushDropped(app: String) -> String { text("push.dropped", "the push was dropped: {app} is not there", [("app", app)]) }
    static func pushReset(app: String) -> String { text("push.reset", "{app} gets VoIP pushes again", [("app", app)]) }
    static var pushNoObject: String { text("push.no_object", "the payload of a push is a JSON object") }
    static func pushUnreported(app: String, number: String) -> String { text("push.unreported", "{app} has reported no call after {number} VoIP pushes", [("app", app), ("number", number)]) }
    static func pushStopped(app: String, number: String) -> String { text("push.stopped", "{app} gets no more VoIP pushes, because it has reported no call after {number} of them", [("app", app), ("number", number)]) }
}
