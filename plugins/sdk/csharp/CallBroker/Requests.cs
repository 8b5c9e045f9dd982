// Written by make-requests.py: not to be edited.
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>All that a client sends: each request and notification under its name on the wire. A
    /// member that is null is left out, unless it is needed.</summary>
    public static class Requests
    {
        /// <summary>Checks whether the other side responds.</summary>
        /// <param name="payload">returned unchanged</param>
        public static Task<JObject> BrokerPingAsync(
            this Client client, object payload = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.ping", new JObject().And("payload", payload), cancellation);

        /// <summary>Returns the state of the broker.</summary>
        public static Task<JObject> BrokerInfoAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.info", new JObject(), cancellation);

        /// <summary>Describes a method or an event.</summary>
        /// <param name="name">the name of a method or a topic</param>
        public static Task<JObject> BrokerDescribeAsync(
            this Client client, string name,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.describe", new JObject()
                .Needing("name", name), cancellation);

        /// <summary>Reports progress of a request.</summary>
        /// <param name="request">the id of the request</param>
        /// <param name="phase">a stable word</param>
        /// <param name="percent">the progress</param>
        /// <param name="message">a sentence for people</param>
        /// <param name="extendMs">the requested extension of the deadline</param>
        public static void BrokerProgress(
            this Client client, object request, string phase = null, long? percent = null,
            string message = null, long? extendMs = null) =>
            client.Notify("broker.progress", new JObject()
                .Needing("request", request)
                .And("phase", phase)
                .And("percent", percent)
                .And("message", message)
                .And("extend_ms", extendMs));

        /// <summary>Writes a line to the broker's log.</summary>
        /// <param name="level">the level</param>
        /// <param name="message">the text</param>
        /// <param name="fields">not logged; reserved for tools</param>
        public static void BrokerLog(
            this Client client, string level, string message, object fields = null) =>
            client.Notify("broker.log", new JObject()
                .Needing("level", level)
                .Needing("message", message)
                .And("fields", fields));

        /// <summary>Returns counters since the start.</summary>
        public static Task<JObject> BrokerStatsAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.stats", new JObject(), cancellation);

        /// <summary>Stops the broker.</summary>
        /// <param name="reason">a reason for the log</param>
        public static Task<JObject> BrokerShutdownAsync(
            this Client client, string reason = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.shutdown", new JObject()
                .And("reason", reason), cancellation);

        /// <summary>Returns figures for monitoring.</summary>
        public static Task<JObject> BrokerMetricsAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.metrics", new JObject(), cancellation);

        /// <summary>Returns what the broker is doing.</summary>
        public static Task<JObject> BrokerDumpAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.dump", new JObject(), cancellation);

        /// <summary>Copies the user's data into a folder.</summary>
        public static Task<JObject> BrokerBackupAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("broker.backup", new JObject(), cancellation);

        /// <summary>Lists the connected clients, and which programs they are.</summary>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> ConnectionListAsync(
            this Client client, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("connection.list", new JObject()
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Registers the provider of this connection.</summary>
        /// <param name="displayName">the app's display name</param>
        /// <param name="handleTypes">the types of address that it offers to call; if empty, the app
        /// itself may still call any address</param>
        /// <param name="urlSchemes">the URI schemes that it can dial, such as tel</param>
        /// <param name="supportsVideo">whether its calls may have video; false if left out</param>
        /// <param name="supportsText">whether its calls may have real-time text; false if left
        /// out</param>
        /// <param name="maxCallGroups">the limit of its call groups; 2 if left out</param>
        /// <param name="maxCallsPerGroup">the limit of calls in one group; 5 if left out</param>
        /// <param name="includesInRecents">whether the history shows its calls; true if left
        /// out</param>
        /// <param name="ringtone">a name or path</param>
        /// <param name="icon">a name or path</param>
        /// <param name="actionDeadlines">the deadline of each kind of action; the policy's if left
        /// out</param>
        /// <param name="ringTimeoutMs">how long its calls ring; the policy's if left out</param>
        /// <param name="graceMs">how long its calls are kept after a disconnection; the policy's if
        /// left out</param>
        /// <param name="resumeWhenFreed">whether its held calls are resumed when the call they were
        /// held for ends; if false the resume is offered to the user; true if left out</param>
        /// <param name="takesTransactions">whether it is offered several actions as one transaction;
        /// false if left out</param>
        /// <param name="appProcess">`separate`: an adapter, whose calls continue when this process
        /// ends</param>
        /// <param name="kind">an app with calls of its own, an adapter of an app, a modem, or an app
        /// that is only `watched`; app if left out</param>
        /// <param name="lines">its accounts, such as SIP addresses or SIM cards</param>
        /// <param name="pushTypes">the types of push that it takes, such as voip; none if left
        /// out</param>
        /// <param name="startBy">how a call starts the app when it does not run: one of `dbus` and
        /// `desktop`; not for plugins, which have a manifest; calls cannot start it if left out</param>
        /// <param name="calls">all live calls, after a reconnection</param>
        /// <param name="more">whether another registration with more calls follows</param>
        public static Task<JObject> ProviderRegisterAsync(
            this Client client, string displayName, object handleTypes,
            object urlSchemes = null, bool? supportsVideo = null, bool? supportsText = null,
            long? maxCallGroups = null, long? maxCallsPerGroup = null,
            bool? includesInRecents = null, string ringtone = null, string icon = null,
            object actionDeadlines = null, long? ringTimeoutMs = null, long? graceMs = null,
            bool? resumeWhenFreed = null, bool? takesTransactions = null,
            string appProcess = null, string kind = null, object lines = null,
            object pushTypes = null, object startBy = null, object calls = null,
            bool? more = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("provider.register", new JObject()
                .Needing("display_name", displayName)
                .Needing("handle_types", handleTypes)
                .And("url_schemes", urlSchemes)
                .And("supports_video", supportsVideo)
                .And("supports_text", supportsText)
                .And("max_call_groups", maxCallGroups)
                .And("max_calls_per_group", maxCallsPerGroup)
                .And("includes_in_recents", includesInRecents)
                .And("ringtone", ringtone)
                .And("icon", icon)
                .And("action_deadlines", actionDeadlines)
                .And("ring_timeout_ms", ringTimeoutMs)
                .And("grace_ms", graceMs)
                .And("resume_when_freed", resumeWhenFreed)
                .And("takes_transactions", takesTransactions)
                .And("app_process", appProcess)
                .And("kind", kind)
                .And("lines", lines)
                .And("push_types", pushTypes)
                .And("start_by", startBy)
                .And("calls", calls)
                .And("more", more), cancellation);

        /// <summary>Changes the provider's registration.</summary>
        /// <param name="displayName">the app's display name</param>
        /// <param name="handleTypes">the types of address that it offers to call; if empty, the app
        /// itself may still call any address</param>
        /// <param name="urlSchemes">the URI schemes that it can dial, such as tel</param>
        /// <param name="supportsVideo">whether its calls may have video; false if left out</param>
        /// <param name="supportsText">whether its calls may have real-time text; false if left
        /// out</param>
        /// <param name="maxCallGroups">the limit of its call groups; 2 if left out</param>
        /// <param name="maxCallsPerGroup">the limit of calls in one group; 5 if left out</param>
        /// <param name="includesInRecents">whether the history shows its calls; true if left
        /// out</param>
        /// <param name="ringtone">a name or path</param>
        /// <param name="icon">a name or path</param>
        /// <param name="actionDeadlines">the deadline of each kind of action; the policy's if left
        /// out</param>
        /// <param name="ringTimeoutMs">how long its calls ring; the policy's if left out</param>
        /// <param name="graceMs">how long its calls are kept after a disconnection; the policy's if
        /// left out</param>
        /// <param name="resumeWhenFreed">whether its held calls are resumed when the call they were
        /// held for ends; if false the resume is offered to the user; true if left out</param>
        /// <param name="takesTransactions">whether it is offered several actions as one transaction;
        /// false if left out</param>
        /// <param name="appProcess">`separate`: an adapter, whose calls continue when this process
        /// ends</param>
        /// <param name="kind">an app with calls of its own, an adapter of an app, a modem, or an app
        /// that is only `watched`; app if left out</param>
        /// <param name="lines">its accounts, such as SIP addresses or SIM cards</param>
        /// <param name="pushTypes">the types of push that it takes, such as voip; none if left
        /// out</param>
        /// <param name="startBy">how a call starts the app when it does not run: one of `dbus` and
        /// `desktop`; not for plugins, which have a manifest; calls cannot start it if left out</param>
        public static Task<JObject> ProviderUpdateAsync(
            this Client client, string displayName = null, object handleTypes = null,
            object urlSchemes = null, bool? supportsVideo = null, bool? supportsText = null,
            long? maxCallGroups = null, long? maxCallsPerGroup = null,
            bool? includesInRecents = null, string ringtone = null, string icon = null,
            object actionDeadlines = null, long? ringTimeoutMs = null, long? graceMs = null,
            bool? resumeWhenFreed = null, bool? takesTransactions = null,
            string appProcess = null, string kind = null, object lines = null,
            object pushTypes = null, object startBy = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("provider.update", new JObject()
                .And("display_name", displayName)
                .And("handle_types", handleTypes)
                .And("url_schemes", urlSchemes)
                .And("supports_video", supportsVideo)
                .And("supports_text", supportsText)
                .And("max_call_groups", maxCallGroups)
                .And("max_calls_per_group", maxCallsPerGroup)
                .And("includes_in_recents", includesInRecents)
                .And("ringtone", ringtone)
                .And("icon", icon)
                .And("action_deadlines", actionDeadlines)
                .And("ring_timeout_ms", ringTimeoutMs)
                .And("grace_ms", graceMs)
                .And("resume_when_freed", resumeWhenFreed)
                .And("takes_transactions", takesTransactions)
                .And("app_process", appProcess)
                .And("kind", kind)
                .And("lines", lines)
                .And("push_types", pushTypes)
                .And("start_by", startBy), cancellation);

        /// <summary>Removes the provider.</summary>
        public static Task<JObject> ProviderUnregisterAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("provider.unregister", new JObject(), cancellation);

        /// <summary>Has the user asked whether the provider may have calls.</summary>
        public static Task<JObject> ProviderRequestAuthorizationAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("provider.request_authorization", new JObject(), cancellation);

        /// <summary>Lists the providers.</summary>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> ProviderListAsync(
            this Client client, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("provider.list", new JObject()
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Reports an incoming call.</summary>
        /// <param name="call">the id of the call, never used again</param>
        /// <param name="remote">the caller</param>
        /// <param name="displayName">the provider's name for the remote party</param>
        /// <param name="hasVideo">whether the call has video; false at first</param>
        /// <param name="supportsHolding">whether the call can be held; true at first</param>
        /// <param name="supportsGrouping">whether the call can join a group; true at first</param>
        /// <param name="supportsUngrouping">whether the call can leave a group; true at first</param>
        /// <param name="supportsDtmf">whether the call can play tones; true at first</param>
        /// <param name="supportsTransfer">whether the call can be transferred to an address; false at
        /// first</param>
        /// <param name="supportsAttendedTransfer">whether the call can be joined with another one;
        /// false at first</param>
        /// <param name="supportsDeflect">whether the call can be sent to another address before an
        /// answer; false at first</param>
        /// <param name="remoteHeld">whether the remote party holds the call; false at first</param>
        /// <param name="hasEarlyMedia">whether the remote side sends sound before its answer; false at
        /// first</param>
        /// <param name="priority">the priority; normal at first</param>
        /// <param name="line">the id of the provider's line that has the call</param>
        /// <param name="forwardedFrom">the party that the call was meant for, before it was forwarded
        /// here</param>
        /// <param name="verification">the network's verdict about the caller's number; none at
        /// first</param>
        /// <param name="externalId">the id of the call in the app's protocol, such as the Call-ID of
        /// SIP</param>
        /// <param name="elsewhere">the name of the other device that has the call, or has answered or
        /// declined it</param>
        /// <param name="supportsPull">whether the call can be pulled here from that device; false at
        /// first</param>
        /// <param name="endpoints">where the app can let the sound of the call out; none at first, if
        /// that is the host's choice</param>
        /// <param name="video">the direction of the video, as seen from here; off at first, both if
        /// only `has_video` is true</param>
        /// <param name="supportsSetVideo">whether video can be added to the call, changed and taken
        /// away; false at first</param>
        /// <param name="hasText">whether the call has real-time text; false at first</param>
        /// <param name="supportsSetText">whether real-time text can be added to the call and taken
        /// away; false at first</param>
        /// <param name="receivedAtMs">when the provider received the call</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        public static Task<JObject> CallReportIncomingAsync(
            this Client client, string call, object remote, string displayName = null,
            bool? hasVideo = null, bool? supportsHolding = null, bool? supportsGrouping = null,
            bool? supportsUngrouping = null, bool? supportsDtmf = null,
            bool? supportsTransfer = null, bool? supportsAttendedTransfer = null,
            bool? supportsDeflect = null, bool? remoteHeld = null, bool? hasEarlyMedia = null,
            string priority = null, string line = null, object forwardedFrom = null,
            string verification = null, string externalId = null, string elsewhere = null,
            bool? supportsPull = null, object endpoints = null, string video = null,
            bool? supportsSetVideo = null, bool? hasText = null, bool? supportsSetText = null,
            long? receivedAtMs = null, bool? dryRun = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_incoming", new JObject()
                .Needing("call", call)
                .Needing("remote", remote)
                .And("display_name", displayName)
                .And("has_video", hasVideo)
                .And("supports_holding", supportsHolding)
                .And("supports_grouping", supportsGrouping)
                .And("supports_ungrouping", supportsUngrouping)
                .And("supports_dtmf", supportsDtmf)
                .And("supports_transfer", supportsTransfer)
                .And("supports_attended_transfer", supportsAttendedTransfer)
                .And("supports_deflect", supportsDeflect)
                .And("remote_held", remoteHeld)
                .And("has_early_media", hasEarlyMedia)
                .And("priority", priority)
                .And("line", line)
                .And("forwarded_from", forwardedFrom)
                .And("verification", verification)
                .And("external_id", externalId)
                .And("elsewhere", elsewhere)
                .And("supports_pull", supportsPull)
                .And("endpoints", endpoints)
                .And("video", video)
                .And("supports_set_video", supportsSetVideo)
                .And("has_text", hasText)
                .And("supports_set_text", supportsSetText)
                .And("received_at_ms", receivedAtMs)
                .And("dry_run", dryRun), cancellation);

        /// <summary>Reports that the remote party's device rings.</summary>
        /// <param name="call">the call</param>
        /// <param name="hasEarlyMedia">whether the remote side sends sound before its answer; unchanged
        /// if left out</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportAlertingAsync(
            this Client client, string call, bool? hasEarlyMedia = null, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_alerting", new JObject()
                .Needing("call", call)
                .And("has_early_media", hasEarlyMedia)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports that the remote party has answered.</summary>
        /// <param name="call">the call</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportConnectingAsync(
            this Client client, string call, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_connecting", new JObject()
                .Needing("call", call)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports that both sides can talk.</summary>
        /// <param name="call">the call</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportConnectedAsync(
            this Client client, string call, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_connected", new JObject()
                .Needing("call", call)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports that the app has held or resumed a call on its own.</summary>
        /// <param name="call">the call</param>
        /// <param name="held">whether the call is held</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportHeldAsync(
            this Client client, string call, bool held, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_held", new JObject()
                .Needing("call", call)
                .Needing("held", held)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports that the app has muted or unmuted a call on its own.</summary>
        /// <param name="call">the call</param>
        /// <param name="muted">whether the call is muted</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportMutedAsync(
            this Client client, string call, bool muted, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_muted", new JObject()
                .Needing("call", call)
                .Needing("muted", muted)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports that the app has merged or split its calls on its own.</summary>
        /// <param name="call">the call</param>
        /// <param name="with">a call of the group that it belongs to; null: it is alone</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportGroupAsync(
            this Client client, string call, string with, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_group", new JObject()
                .Needing("call", call)
                .Needing("with", with)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports a call that was missed while the provider was away.</summary>
        /// <param name="call">the id of the call, never used again</param>
        /// <param name="remote">the caller</param>
        /// <param name="reason">why the call was missed</param>
        /// <param name="atMs">when the call arrived</param>
        /// <param name="displayName">the provider's name for the remote party</param>
        /// <param name="hasVideo">whether the call has video; false at first</param>
        /// <param name="supportsHolding">whether the call can be held; true at first</param>
        /// <param name="supportsGrouping">whether the call can join a group; true at first</param>
        /// <param name="supportsUngrouping">whether the call can leave a group; true at first</param>
        /// <param name="supportsDtmf">whether the call can play tones; true at first</param>
        /// <param name="supportsTransfer">whether the call can be transferred to an address; false at
        /// first</param>
        /// <param name="supportsAttendedTransfer">whether the call can be joined with another one;
        /// false at first</param>
        /// <param name="supportsDeflect">whether the call can be sent to another address before an
        /// answer; false at first</param>
        /// <param name="remoteHeld">whether the remote party holds the call; false at first</param>
        /// <param name="hasEarlyMedia">whether the remote side sends sound before its answer; false at
        /// first</param>
        /// <param name="priority">the priority; normal at first</param>
        /// <param name="line">the id of the provider's line that has the call</param>
        /// <param name="forwardedFrom">the party that the call was meant for, before it was forwarded
        /// here</param>
        /// <param name="verification">the network's verdict about the caller's number; none at
        /// first</param>
        /// <param name="externalId">the id of the call in the app's protocol, such as the Call-ID of
        /// SIP</param>
        /// <param name="elsewhere">the name of the other device that has the call, or has answered or
        /// declined it</param>
        /// <param name="supportsPull">whether the call can be pulled here from that device; false at
        /// first</param>
        /// <param name="endpoints">where the app can let the sound of the call out; none at first, if
        /// that is the host's choice</param>
        /// <param name="video">the direction of the video, as seen from here; off at first, both if
        /// only `has_video` is true</param>
        /// <param name="supportsSetVideo">whether video can be added to the call, changed and taken
        /// away; false at first</param>
        /// <param name="hasText">whether the call has real-time text; false at first</param>
        /// <param name="supportsSetText">whether real-time text can be added to the call and taken
        /// away; false at first</param>
        public static Task<JObject> CallReportMissedAsync(
            this Client client, string call, object remote, string reason, long atMs,
            string displayName = null, bool? hasVideo = null, bool? supportsHolding = null,
            bool? supportsGrouping = null, bool? supportsUngrouping = null,
            bool? supportsDtmf = null, bool? supportsTransfer = null,
            bool? supportsAttendedTransfer = null, bool? supportsDeflect = null,
            bool? remoteHeld = null, bool? hasEarlyMedia = null, string priority = null,
            string line = null, object forwardedFrom = null, string verification = null,
            string externalId = null, string elsewhere = null, bool? supportsPull = null,
            object endpoints = null, string video = null, bool? supportsSetVideo = null,
            bool? hasText = null, bool? supportsSetText = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_missed", new JObject()
                .Needing("call", call)
                .Needing("remote", remote)
                .Needing("reason", reason)
                .Needing("at_ms", atMs)
                .And("display_name", displayName)
                .And("has_video", hasVideo)
                .And("supports_holding", supportsHolding)
                .And("supports_grouping", supportsGrouping)
                .And("supports_ungrouping", supportsUngrouping)
                .And("supports_dtmf", supportsDtmf)
                .And("supports_transfer", supportsTransfer)
                .And("supports_attended_transfer", supportsAttendedTransfer)
                .And("supports_deflect", supportsDeflect)
                .And("remote_held", remoteHeld)
                .And("has_early_media", hasEarlyMedia)
                .And("priority", priority)
                .And("line", line)
                .And("forwarded_from", forwardedFrom)
                .And("verification", verification)
                .And("external_id", externalId)
                .And("elsewhere", elsewhere)
                .And("supports_pull", supportsPull)
                .And("endpoints", endpoints)
                .And("video", video)
                .And("supports_set_video", supportsSetVideo)
                .And("has_text", hasText)
                .And("supports_set_text", supportsSetText), cancellation);

        /// <summary>Reports changed properties of a call.</summary>
        /// <param name="call">the call</param>
        /// <param name="remote">the remote party</param>
        /// <param name="displayName">the provider's name for the remote party</param>
        /// <param name="hasVideo">whether the call has video; false at first</param>
        /// <param name="supportsHolding">whether the call can be held; true at first</param>
        /// <param name="supportsGrouping">whether the call can join a group; true at first</param>
        /// <param name="supportsUngrouping">whether the call can leave a group; true at first</param>
        /// <param name="supportsDtmf">whether the call can play tones; true at first</param>
        /// <param name="supportsTransfer">whether the call can be transferred to an address; false at
        /// first</param>
        /// <param name="supportsAttendedTransfer">whether the call can be joined with another one;
        /// false at first</param>
        /// <param name="supportsDeflect">whether the call can be sent to another address before an
        /// answer; false at first</param>
        /// <param name="remoteHeld">whether the remote party holds the call; false at first</param>
        /// <param name="hasEarlyMedia">whether the remote side sends sound before its answer; false at
        /// first</param>
        /// <param name="priority">the priority; normal at first</param>
        /// <param name="line">the id of the provider's line that has the call</param>
        /// <param name="forwardedFrom">the party that the call was meant for, before it was forwarded
        /// here</param>
        /// <param name="verification">the network's verdict about the caller's number; none at
        /// first</param>
        /// <param name="externalId">the id of the call in the app's protocol, such as the Call-ID of
        /// SIP</param>
        /// <param name="elsewhere">the name of the other device that has the call, or has answered or
        /// declined it</param>
        /// <param name="supportsPull">whether the call can be pulled here from that device; false at
        /// first</param>
        /// <param name="endpoints">where the app can let the sound of the call out; none at first, if
        /// that is the host's choice</param>
        /// <param name="video">the direction of the video, as seen from here; off at first, both if
        /// only `has_video` is true</param>
        /// <param name="supportsSetVideo">whether video can be added to the call, changed and taken
        /// away; false at first</param>
        /// <param name="hasText">whether the call has real-time text; false at first</param>
        /// <param name="supportsSetText">whether real-time text can be added to the call and taken
        /// away; false at first</param>
        public static Task<JObject> CallReportUpdateAsync(
            this Client client, string call, object remote = null, string displayName = null,
            bool? hasVideo = null, bool? supportsHolding = null, bool? supportsGrouping = null,
            bool? supportsUngrouping = null, bool? supportsDtmf = null,
            bool? supportsTransfer = null, bool? supportsAttendedTransfer = null,
            bool? supportsDeflect = null, bool? remoteHeld = null, bool? hasEarlyMedia = null,
            string priority = null, string line = null, object forwardedFrom = null,
            string verification = null, string externalId = null, string elsewhere = null,
            bool? supportsPull = null, object endpoints = null, string video = null,
            bool? supportsSetVideo = null, bool? hasText = null, bool? supportsSetText = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_update", new JObject()
                .Needing("call", call)
                .And("remote", remote)
                .And("display_name", displayName)
                .And("has_video", hasVideo)
                .And("supports_holding", supportsHolding)
                .And("supports_grouping", supportsGrouping)
                .And("supports_ungrouping", supportsUngrouping)
                .And("supports_dtmf", supportsDtmf)
                .And("supports_transfer", supportsTransfer)
                .And("supports_attended_transfer", supportsAttendedTransfer)
                .And("supports_deflect", supportsDeflect)
                .And("remote_held", remoteHeld)
                .And("has_early_media", hasEarlyMedia)
                .And("priority", priority)
                .And("line", line)
                .And("forwarded_from", forwardedFrom)
                .And("verification", verification)
                .And("external_id", externalId)
                .And("elsewhere", elsewhere)
                .And("supports_pull", supportsPull)
                .And("endpoints", endpoints)
                .And("video", video)
                .And("supports_set_video", supportsSetVideo)
                .And("has_text", hasText)
                .And("supports_set_text", supportsSetText), cancellation);

        /// <summary>Reports that the remote party has ended the call, or that it failed.</summary>
        /// <param name="call">the call</param>
        /// <param name="reason">why the call ended</param>
        /// <param name="endDetail">the app's own words for it</param>
        /// <param name="elsewhere">the device that has answered or declined it instead</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportEndedAsync(
            this Client client, string call, string reason, object endDetail = null,
            string elsewhere = null, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_ended", new JObject()
                .Needing("call", call)
                .Needing("reason", reason)
                .And("end_detail", endDetail)
                .And("elsewhere", elsewhere)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports a call that is live on another device of the same account.</summary>
        /// <param name="call">the id of the call, never used for another</param>
        /// <param name="direction">the direction there; incoming if left out</param>
        /// <param name="remote">the remote party</param>
        /// <param name="displayName">the provider's name for the remote party</param>
        /// <param name="hasVideo">whether the call has video; false at first</param>
        /// <param name="supportsHolding">whether the call can be held; true at first</param>
        /// <param name="supportsGrouping">whether the call can join a group; true at first</param>
        /// <param name="supportsUngrouping">whether the call can leave a group; true at first</param>
        /// <param name="supportsDtmf">whether the call can play tones; true at first</param>
        /// <param name="supportsTransfer">whether the call can be transferred to an address; false at
        /// first</param>
        /// <param name="supportsAttendedTransfer">whether the call can be joined with another one;
        /// false at first</param>
        /// <param name="supportsDeflect">whether the call can be sent to another address before an
        /// answer; false at first</param>
        /// <param name="remoteHeld">whether the remote party holds the call; false at first</param>
        /// <param name="hasEarlyMedia">whether the remote side sends sound before its answer; false at
        /// first</param>
        /// <param name="priority">the priority; normal at first</param>
        /// <param name="line">the id of the provider's line that has the call</param>
        /// <param name="forwardedFrom">the party that the call was meant for, before it was forwarded
        /// here</param>
        /// <param name="verification">the network's verdict about the caller's number; none at
        /// first</param>
        /// <param name="externalId">the id of the call in the app's protocol, such as the Call-ID of
        /// SIP</param>
        /// <param name="elsewhere">the name of the other device that has the call, or has answered or
        /// declined it</param>
        /// <param name="supportsPull">whether the call can be pulled here from that device; false at
        /// first</param>
        /// <param name="endpoints">where the app can let the sound of the call out; none at first, if
        /// that is the host's choice</param>
        /// <param name="video">the direction of the video, as seen from here; off at first, both if
        /// only `has_video` is true</param>
        /// <param name="supportsSetVideo">whether video can be added to the call, changed and taken
        /// away; false at first</param>
        /// <param name="hasText">whether the call has real-time text; false at first</param>
        /// <param name="supportsSetText">whether real-time text can be added to the call and taken
        /// away; false at first</param>
        /// <param name="atMs">when the call began; now if left out</param>
        public static Task<JObject> CallReportExternalAsync(
            this Client client, string call, string direction = null, object remote = null,
            string displayName = null, bool? hasVideo = null, bool? supportsHolding = null,
            bool? supportsGrouping = null, bool? supportsUngrouping = null,
            bool? supportsDtmf = null, bool? supportsTransfer = null,
            bool? supportsAttendedTransfer = null, bool? supportsDeflect = null,
            bool? remoteHeld = null, bool? hasEarlyMedia = null, string priority = null,
            string line = null, object forwardedFrom = null, string verification = null,
            string externalId = null, string elsewhere = null, bool? supportsPull = null,
            object endpoints = null, string video = null, bool? supportsSetVideo = null,
            bool? hasText = null, bool? supportsSetText = null, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_external", new JObject()
                .Needing("call", call)
                .And("direction", direction)
                .And("remote", remote)
                .And("display_name", displayName)
                .And("has_video", hasVideo)
                .And("supports_holding", supportsHolding)
                .And("supports_grouping", supportsGrouping)
                .And("supports_ungrouping", supportsUngrouping)
                .And("supports_dtmf", supportsDtmf)
                .And("supports_transfer", supportsTransfer)
                .And("supports_attended_transfer", supportsAttendedTransfer)
                .And("supports_deflect", supportsDeflect)
                .And("remote_held", remoteHeld)
                .And("has_early_media", hasEarlyMedia)
                .And("priority", priority)
                .And("line", line)
                .And("forwarded_from", forwardedFrom)
                .And("verification", verification)
                .And("external_id", externalId)
                .And("elsewhere", elsewhere)
                .And("supports_pull", supportsPull)
                .And("endpoints", endpoints)
                .And("video", video)
                .And("supports_set_video", supportsSetVideo)
                .And("has_text", hasText)
                .And("supports_set_text", supportsSetText)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports how well the sound of a call is transmitted.</summary>
        /// <param name="call">the call</param>
        /// <param name="lossPermille">lost packets of a thousand, since the report before</param>
        /// <param name="jitterMs">the variation of the packets' time of arrival</param>
        /// <param name="roundTripMs">the time to the remote side and back</param>
        public static Task<JObject> CallReportQualityAsync(
            this Client client, string call, long? lossPermille = null, long? jitterMs = null,
            long? roundTripMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_quality", new JObject()
                .Needing("call", call)
                .And("loss_permille", lossPermille)
                .And("jitter_ms", jitterMs)
                .And("round_trip_ms", roundTripMs), cancellation);

        /// <summary>Reports that the remote party asks for video.</summary>
        /// <param name="call">the call</param>
        /// <param name="video">the direction that this side would have; null: no longer</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportVideoRequestAsync(
            this Client client, string call, string video, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_video_request", new JObject()
                .Needing("call", call)
                .Needing("video", video)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports who takes part in a conference that the far end runs.</summary>
        /// <param name="call">the call</param>
        /// <param name="changed">those who are new or have changed, each as a whole</param>
        /// <param name="removed">those who have left</param>
        /// <param name="replace">whether all who were reported before are forgotten first</param>
        public static Task<JObject> CallReportParticipantsAsync(
            this Client client, string call, object changed = null, object removed = null,
            bool? replace = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_participants", new JObject()
                .Needing("call", call)
                .And("changed", changed)
                .And("removed", removed)
                .And("replace", replace), cancellation);

        /// <summary>Lists the participants of a conference.</summary>
        /// <param name="call">the call</param>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> ParticipantListAsync(
            this Client client, string call, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("participant.list", new JObject()
                .Needing("call", call)
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Mutes a participant of a conference, or raises a hand.</summary>
        /// <param name="call">the call</param>
        /// <param name="participant">the id of the participant</param>
        /// <param name="muted">whether the participant is muted in the conference</param>
        /// <param name="handRaised">whether the participant has raised a hand</param>
        public static Task<JObject> ParticipantUpdateAsync(
            this Client client, string call, string participant, bool? muted = null,
            bool? handRaised = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("participant.update", new JObject()
                .Needing("call", call)
                .Needing("participant", participant)
                .And("muted", muted)
                .And("hand_raised", handRaised), cancellation);

        /// <summary>Reports the outcome of an action of an accepted transaction.</summary>
        /// <param name="action">from provider.execute</param>
        /// <param name="outcome">the outcome</param>
        /// <param name="atMs">when it happened; now if left out</param>
        /// <param name="reason">failed: a stable word</param>
        /// <param name="message">failed: a sentence for people</param>
        /// <param name="appCode">failed: the code of the app's protocol or network</param>
        public static Task<JObject> ActionSettleAsync(
            this Client client, string action, string outcome, long? atMs = null,
            string reason = null, string message = null, string appCode = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("action.settle", new JObject()
                .Needing("action", action)
                .Needing("outcome", outcome)
                .And("at_ms", atMs)
                .And("reason", reason)
                .And("message", message)
                .And("app_code", appCode), cancellation);

        /// <summary>Changes a setting that the network keeps for a line.</summary>
        /// <param name="provider">the provider that has the line</param>
        /// <param name="line">the id of the line</param>
        /// <param name="setting">`forward_always`, or while the line is in a call (`forward_busy`),
        /// does not answer (`forward_no_reply`), or cannot be reached (`forward_unreachable`);
        /// `call_waiting`; `caller_id_hidden`</param>
        /// <param name="on">whether the setting is on</param>
        /// <param name="to">where calls are forwarded</param>
        /// <param name="afterMs">the time after which forward_no_reply forwards; the network's if left
        /// out</param>
        public static Task<JObject> LineSetSettingAsync(
            this Client client, string provider, string line, string setting, bool on,
            object to = null, long? afterMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("line.set_setting", new JObject()
                .Needing("provider", provider)
                .Needing("line", line)
                .Needing("setting", setting)
                .Needing("on", on)
                .And("to", to)
                .And("after_ms", afterMs), cancellation);

        /// <summary>Delivers a push to an app.</summary>
        /// <param name="provider">the app's provider</param>
        /// <param name="payload">what the server has sent, at most 5120 bytes as JSON</param>
        /// <param name="type">the type of push; voip if left out</param>
        /// <param name="ttlMs">how long it waits for the app; 30000 if left out, 0: not at all</param>
        /// <param name="wait">when to reply: at once, or when the app has handled it; accepted if left
        /// out</param>
        public static Task<JObject> PushDeliverAsync(
            this Client client, string provider, object payload, string type = null,
            long? ttlMs = null, string wait = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("push.deliver", new JObject()
                .Needing("provider", provider)
                .Needing("payload", payload)
                .And("type", type)
                .And("ttl_ms", ttlMs)
                .And("wait", wait), cancellation);

        /// <summary>Has VoIP pushes delivered again to an app that has reported no calls for
        /// them.</summary>
        /// <param name="provider">the app's provider</param>
        public static Task<JObject> PushResetAsync(
            this Client client, string provider,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("push.reset", new JObject()
                .Needing("provider", provider), cancellation);

        /// <summary>Reports the address at which a server can push to an app.</summary>
        /// <param name="provider">the app's provider</param>
        /// <param name="type">the type of push</param>
        /// <param name="token">the address; none: no longer valid</param>
        public static Task<JObject> PushSetTokenAsync(
            this Client client, string provider, string type, string token = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("push.set_token", new JObject()
                .Needing("provider", provider)
                .Needing("type", type)
                .And("token", token), cancellation);

        /// <summary>Reports that the remote party asks for real-time text.</summary>
        /// <param name="call">the call</param>
        /// <param name="requested">true: the remote party asks; false: no longer</param>
        /// <param name="atMs">when it happened; now if left out</param>
        public static Task<JObject> CallReportTextRequestAsync(
            this Client client, string call, bool requested, long? atMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_text_request", new JObject()
                .Needing("call", call)
                .Needing("requested", requested)
                .And("at_ms", atMs), cancellation);

        /// <summary>Reports what the remote party has typed.</summary>
        /// <param name="call">the call</param>
        /// <param name="text">the characters, as typed; U+0008 erases one, U+2028 begins a line</param>
        public static Task<JObject> CallReportTextAsync(
            this Client client, string call, string text,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.report_text", new JObject()
                .Needing("call", call)
                .Needing("text", text), cancellation);

        /// <summary>Sends what the user has typed to the remote party.</summary>
        /// <param name="call">the call</param>
        /// <param name="text">the characters, as typed; U+0008 erases one, U+2028 begins a line</param>
        public static Task<JObject> CallSendTextAsync(
            this Client client, string call, string text,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.send_text", new JObject()
                .Needing("call", call)
                .Needing("text", text), cancellation);

        /// <summary>Requests actions, executed in order as one transaction.</summary>
        /// <param name="actions">the actions, in order</param>
        /// <param name="group">whether an end is meant for all calls of the group</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> TransactionRequestAsync(
            this Client client, object actions, bool? group = null, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("transaction.request", new JObject()
                .Needing("actions", actions)
                .And("group", group)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Starts a call.</summary>
        /// <param name="remote">the address to call</param>
        /// <param name="hasVideo">whether the call starts with video; false if left out</param>
        /// <param name="hasText">whether the call starts with real-time text; false if left out</param>
        /// <param name="contact">the id of a contact, for the app</param>
        /// <param name="line">the line that places the call; the provider's default, or its choice, if
        /// left out</param>
        /// <param name="emergency">whether to mark the call as an emergency; calls to emergency numbers
        /// are emergencies anyway, and an app's mark counts only with `emergency.claims` of the
        /// policy</param>
        /// <param name="background">whether to mark the call as one that makes way for all others: it
        /// is refused while another is live or rings</param>
        /// <param name="call">the id of the new call; generated if left out</param>
        /// <param name="provider">the provider that places the call</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallStartAsync(
            this Client client, object remote, bool? hasVideo = null, bool? hasText = null,
            string contact = null, string line = null, bool? emergency = null,
            bool? background = null, string call = null, string provider = null,
            string transaction = null, long? deadlineMs = null, bool? dryRun = null,
            string onConflict = null, string wait = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.start", new JObject()
                .Needing("remote", remote)
                .And("has_video", hasVideo)
                .And("has_text", hasText)
                .And("contact", contact)
                .And("line", line)
                .And("emergency", emergency)
                .And("background", background)
                .And("call", call)
                .And("provider", provider)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Answers a call.</summary>
        /// <param name="call">the call</param>
        /// <param name="choice">what happens to the live call; `answer` if left out</param>
        /// <param name="video">the video that the call is answered with; what it has if left
        /// out</param>
        /// <param name="text">whether the call is answered with real-time text; as it is if left
        /// out</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallAnswerAsync(
            this Client client, string call, string choice = null, string video = null,
            bool? text = null, string transaction = null, long? deadlineMs = null,
            bool? dryRun = null, string onConflict = null, string wait = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.answer", new JObject()
                .Needing("call", call)
                .And("choice", choice)
                .And("video", video)
                .And("text", text)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Pulls a call from another device here.</summary>
        /// <param name="call">the call</param>
        /// <param name="choice">what happens to the live call; `answer` if left out</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallPullAsync(
            this Client client, string call, string choice = null, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.pull", new JObject()
                .Needing("call", call)
                .And("choice", choice)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Ends, declines or cancels a call.</summary>
        /// <param name="call">the call</param>
        /// <param name="group">whether an end is meant for all calls of the group</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallEndAsync(
            this Client client, string call, bool? group = null, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.end", new JObject()
                .Needing("call", call)
                .And("group", group)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Holds or resumes a call.</summary>
        /// <param name="call">the call</param>
        /// <param name="held">whether to hold or to resume</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSetHeldAsync(
            this Client client, string call, bool held, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.set_held", new JObject()
                .Needing("call", call)
                .Needing("held", held)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Mutes or unmutes a call.</summary>
        /// <param name="call">the call</param>
        /// <param name="muted">whether to mute or to unmute</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSetMutedAsync(
            this Client client, string call, bool muted, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.set_muted", new JObject()
                .Needing("call", call)
                .Needing("muted", muted)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Moves a call into a group, or out of its own.</summary>
        /// <param name="call">the call</param>
        /// <param name="with">a call of the group to join; null: leave the group</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSetGroupAsync(
            this Client client, string call, string with, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.set_group", new JObject()
                .Needing("call", call)
                .Needing("with", with)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Sends DTMF tones.</summary>
        /// <param name="call">the call</param>
        /// <param name="digits">the tones, in order; , and p are pauses, ; and w wait for the
        /// user</param>
        /// <param name="style">how the user entered the tones; single if left out</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallPlayDtmfAsync(
            this Client client, string call, string digits, string style = null,
            string transaction = null, long? deadlineMs = null, bool? dryRun = null,
            string onConflict = null, string wait = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.play_dtmf", new JObject()
                .Needing("call", call)
                .Needing("digits", digits)
                .And("style", style)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Dials a URI.</summary>
        /// <param name="uri">the URI, with its scheme</param>
        /// <param name="provider">the provider that places the call</param>
        /// <param name="line">the line that places the call; without a provider, the one that has
        /// it</param>
        /// <param name="hasVideo">whether the call starts with video; false if left out</param>
        /// <param name="hasText">whether the call starts with real-time text; false if left out</param>
        /// <param name="call">the id of the new call; generated if left out</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallDialAsync(
            this Client client, string uri, string provider = null, string line = null,
            bool? hasVideo = null, bool? hasText = null, string call = null,
            string transaction = null, long? deadlineMs = null, bool? dryRun = null,
            string onConflict = null, string wait = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.dial", new JObject()
                .Needing("uri", uri)
                .And("provider", provider)
                .And("line", line)
                .And("has_video", hasVideo)
                .And("has_text", hasText)
                .And("call", call)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Moves the sound of a call to another endpoint.</summary>
        /// <param name="call">the call</param>
        /// <param name="endpoint">the id of one of the call's `endpoints`</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSetEndpointAsync(
            this Client client, string call, string endpoint, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.set_endpoint", new JObject()
                .Needing("call", call)
                .Needing("endpoint", endpoint)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Adds video to a call, changes its direction, or takes it away.</summary>
        /// <param name="call">the call</param>
        /// <param name="video">the direction of the video, as seen from here</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSetVideoAsync(
            this Client client, string call, string video, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.set_video", new JObject()
                .Needing("call", call)
                .Needing("video", video)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Adds real-time text to a call, or takes it away.</summary>
        /// <param name="call">the call</param>
        /// <param name="text">whether the call has real-time text</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSetTextAsync(
            this Client client, string call, bool text, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.set_text", new JObject()
                .Needing("call", call)
                .Needing("text", text)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Transfers a call to an address.</summary>
        /// <param name="call">the call</param>
        /// <param name="to">the address of the new party</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallTransferAsync(
            this Client client, string call, object to, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.transfer", new JObject()
                .Needing("call", call)
                .Needing("to", to)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Joins the remote parties of two calls.</summary>
        /// <param name="call">the call</param>
        /// <param name="with">the call whose remote party is joined</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallAttendedTransferAsync(
            this Client client, string call, string with, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.attended_transfer", new JObject()
                .Needing("call", call)
                .Needing("with", with)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Sends an incoming call to another address.</summary>
        /// <param name="call">the call</param>
        /// <param name="to">the address that the call is sent to</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallDeflectAsync(
            this Client client, string call, object to, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.deflect", new JObject()
                .Needing("call", call)
                .Needing("to", to)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Swaps the live call and a held one.</summary>
        /// <param name="call">the held call; required if there are several</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSwapAsync(
            this Client client, string call = null, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.swap", new JObject()
                .And("call", call)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Merges two calls into a conference.</summary>
        /// <param name="call">the call</param>
        /// <param name="with">a call of the group to join</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallMergeAsync(
            this Client client, string call, string with, string transaction = null,
            long? deadlineMs = null, bool? dryRun = null, string onConflict = null,
            string wait = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.merge", new JObject()
                .Needing("call", call)
                .Needing("with", with)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Splits a call from its conference.</summary>
        /// <param name="call">the call</param>
        /// <param name="transaction">an id chosen by the client: a repeated request with the same id is
        /// executed once; generated if left out</param>
        /// <param name="deadlineMs">the deadline of each action, from its dispatch; the provider's if
        /// left out</param>
        /// <param name="dryRun">whether to return only what would happen</param>
        /// <param name="onConflict">if the live call cannot be held, or a start exceeds
        /// `max_call_groups`: refuse (`hold`), or end the call in the way (`end`, only for the user);
        /// hold if left out</param>
        /// <param name="wait">when to reply: after the checks (`accepted`), or when all actions are
        /// done (`completed`); accepted if left out</param>
        public static Task<JObject> CallSplitAsync(
            this Client client, string call, string transaction = null, long? deadlineMs = null,
            bool? dryRun = null, string onConflict = null, string wait = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.split", new JObject()
                .Needing("call", call)
                .And("transaction", transaction)
                .And("deadline_ms", deadlineMs)
                .And("dry_run", dryRun)
                .And("on_conflict", onConflict)
                .And("wait", wait), cancellation);

        /// <summary>Presses the headset button.</summary>
        /// <param name="press">the length of the press</param>
        public static Task<JObject> CallPressButtonAsync(
            this Client client, string press,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.press_button", new JObject()
                .Needing("press", press), cancellation);

        /// <summary>Silences a ringing call.</summary>
        /// <param name="call">the call</param>
        public static Task<JObject> CallSilenceAsync(
            this Client client, string call,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.silence", new JObject().Needing("call", call), cancellation);

        /// <summary>Marks a call as one of a priority caller.</summary>
        /// <param name="call">the call</param>
        public static Task<JObject> CallPrioritizeAsync(
            this Client client, string call,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.prioritize", new JObject()
                .Needing("call", call), cancellation);

        /// <summary>Asks whether a call would ring.</summary>
        /// <param name="provider">the app that would report the call</param>
        /// <param name="remote">the caller</param>
        /// <param name="displayName">the provider's name for the remote party</param>
        /// <param name="hasVideo">whether the call has video; false at first</param>
        /// <param name="supportsHolding">whether the call can be held; true at first</param>
        /// <param name="supportsGrouping">whether the call can join a group; true at first</param>
        /// <param name="supportsUngrouping">whether the call can leave a group; true at first</param>
        /// <param name="supportsDtmf">whether the call can play tones; true at first</param>
        /// <param name="supportsTransfer">whether the call can be transferred to an address; false at
        /// first</param>
        /// <param name="supportsAttendedTransfer">whether the call can be joined with another one;
        /// false at first</param>
        /// <param name="supportsDeflect">whether the call can be sent to another address before an
        /// answer; false at first</param>
        /// <param name="remoteHeld">whether the remote party holds the call; false at first</param>
        /// <param name="hasEarlyMedia">whether the remote side sends sound before its answer; false at
        /// first</param>
        /// <param name="priority">the priority; normal at first</param>
        /// <param name="line">the id of the provider's line that has the call</param>
        /// <param name="forwardedFrom">the party that the call was meant for, before it was forwarded
        /// here</param>
        /// <param name="verification">the network's verdict about the caller's number; none at
        /// first</param>
        /// <param name="externalId">the id of the call in the app's protocol, such as the Call-ID of
        /// SIP</param>
        /// <param name="elsewhere">the name of the other device that has the call, or has answered or
        /// declined it</param>
        /// <param name="supportsPull">whether the call can be pulled here from that device; false at
        /// first</param>
        /// <param name="endpoints">where the app can let the sound of the call out; none at first, if
        /// that is the host's choice</param>
        /// <param name="video">the direction of the video, as seen from here; off at first, both if
        /// only `has_video` is true</param>
        /// <param name="supportsSetVideo">whether video can be added to the call, changed and taken
        /// away; false at first</param>
        /// <param name="hasText">whether the call has real-time text; false at first</param>
        /// <param name="supportsSetText">whether real-time text can be added to the call and taken
        /// away; false at first</param>
        public static Task<JObject> CallMayRingAsync(
            this Client client, string provider, object remote, string displayName = null,
            bool? hasVideo = null, bool? supportsHolding = null, bool? supportsGrouping = null,
            bool? supportsUngrouping = null, bool? supportsDtmf = null,
            bool? supportsTransfer = null, bool? supportsAttendedTransfer = null,
            bool? supportsDeflect = null, bool? remoteHeld = null, bool? hasEarlyMedia = null,
            string priority = null, string line = null, object forwardedFrom = null,
            string verification = null, string externalId = null, string elsewhere = null,
            bool? supportsPull = null, object endpoints = null, string video = null,
            bool? supportsSetVideo = null, bool? hasText = null, bool? supportsSetText = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.may_ring", new JObject()
                .Needing("provider", provider)
                .Needing("remote", remote)
                .And("display_name", displayName)
                .And("has_video", hasVideo)
                .And("supports_holding", supportsHolding)
                .And("supports_grouping", supportsGrouping)
                .And("supports_ungrouping", supportsUngrouping)
                .And("supports_dtmf", supportsDtmf)
                .And("supports_transfer", supportsTransfer)
                .And("supports_attended_transfer", supportsAttendedTransfer)
                .And("supports_deflect", supportsDeflect)
                .And("remote_held", remoteHeld)
                .And("has_early_media", hasEarlyMedia)
                .And("priority", priority)
                .And("line", line)
                .And("forwarded_from", forwardedFrom)
                .And("verification", verification)
                .And("external_id", externalId)
                .And("elsewhere", elsewhere)
                .And("supports_pull", supportsPull)
                .And("endpoints", endpoints)
                .And("video", video)
                .And("supports_set_video", supportsSetVideo)
                .And("has_text", hasText)
                .And("supports_set_text", supportsSetText), cancellation);

        /// <summary>Sends the tones that wait behind a pause.</summary>
        /// <param name="call">the call</param>
        /// <param name="send">false drops the tones, and the result has no actions; true if left
        /// out</param>
        public static Task<JObject> CallContinueTonesAsync(
            this Client client, string call, bool? send = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.continue_tones", new JObject()
                .Needing("call", call)
                .And("send", send), cancellation);

        /// <summary>Reports the audio endpoints of the host.</summary>
        /// <param name="endpoints">the endpoints, which replace the former ones</param>
        public static Task<JObject> AudioReportEndpointsAsync(
            this Client client, object endpoints,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("audio.report_endpoints", new JObject()
                .Needing("endpoints", endpoints), cancellation);

        /// <summary>Chooses an audio endpoint of the host.</summary>
        /// <param name="endpoint">the id of the endpoint</param>
        public static Task<JObject> AudioSetEndpointAsync(
            this Client client, string endpoint,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("audio.set_endpoint", new JObject()
                .Needing("endpoint", endpoint), cancellation);

        /// <summary>Lists the calls.</summary>
        /// <param name="filter">only calls that match all members</param>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        /// <param name="includeEnded">whether to include ended calls that are still kept; false if left
        /// out</param>
        public static Task<JObject> CallListAsync(
            this Client client, object filter = null, string after = null, long? limit = null,
            bool? includeEnded = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.list", new JObject()
                .And("filter", filter)
                .And("after", after)
                .And("limit", limit)
                .And("include_ended", includeEnded), cancellation);

        /// <summary>Returns a call.</summary>
        /// <param name="call">the call</param>
        public static Task<JObject> CallGetAsync(
            this Client client, string call,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.get", new JObject().Needing("call", call), cancellation);

        /// <summary>Explains the decisions about a call or a transaction.</summary>
        /// <param name="call">the call</param>
        /// <param name="transaction">the transaction</param>
        public static Task<JObject> CallExplainAsync(
            this Client client, string call = null, string transaction = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.explain", new JObject()
                .And("call", call)
                .And("transaction", transaction), cancellation);

        /// <summary>Returns the time line of a call.</summary>
        /// <param name="call">the call</param>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> CallTimelineAsync(
            this Client client, string call, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("call.timeline", new JObject()
                .Needing("call", call)
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Lists the latest transactions.</summary>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> TransactionListAsync(
            this Client client, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("transaction.list", new JObject()
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Subscribes to topics.</summary>
        /// <param name="topics">topics: names and patterns</param>
        /// <param name="cursor">the event to continue after</param>
        /// <param name="snapshot">whether the reply contains a snapshot; true if left out</param>
        /// <param name="includeEnded">whether to include ended calls that are still kept; false if left
        /// out</param>
        /// <param name="detail">what call.changed has: the whole call (full, if left out), or its
        /// changes</param>
        public static Task<JObject> EventsSubscribeAsync(
            this Client client, object topics, object cursor = null, bool? snapshot = null,
            bool? includeEnded = null, string detail = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("events.subscribe", new JObject()
                .Needing("topics", topics)
                .And("cursor", cursor)
                .And("snapshot", snapshot)
                .And("include_ended", includeEnded)
                .And("detail", detail), cancellation);

        /// <summary>Returns the state of the host.</summary>
        public static Task<JObject> HostGetAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("host.get", new JObject(), cancellation);

        /// <summary>Claims the presentation of calls.</summary>
        /// <param name="priority">the highest priority wins; 0 if left out</param>
        /// <param name="sound">whether the screen rings for calls that it presents, so that apps with
        /// the feature presentation are silent; false if left out</param>
        public static Task<JObject> UiClaimAsync(
            this Client client, long? priority = null, bool? sound = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("ui.claim", new JObject()
                .And("priority", priority)
                .And("sound", sound), cancellation);

        /// <summary>Releases the claim.</summary>
        public static Task<JObject> UiReleaseAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("ui.release", new JObject(), cancellation);

        /// <summary>Lists the questions about apps that the user has not answered.</summary>
        public static Task<JObject> QuestionListAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("question.list", new JObject(), cancellation);

        /// <summary>Answers a question about an app.</summary>
        /// <param name="question">its number</param>
        /// <param name="answer">`later` decides nothing, like an error, and no answer in time</param>
        public static Task<JObject> QuestionAnswerAsync(
            this Client client, long question, string answer,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("question.answer", new JObject()
                .Needing("question", question)
                .Needing("answer", answer), cancellation);

        /// <summary>Returns the policy.</summary>
        public static Task<JObject> PolicyGetAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("policy.get", new JObject(), cancellation);

        /// <summary>Changes members of the policy.</summary>
        /// <param name="onHoldFailure">if a hold fails: keep the call and refuse what waited for the
        /// hold, or end the call</param>
        /// <param name="onCannotHold">an answer or start while the live call cannot be held: refuse it,
        /// or end the call</param>
        /// <param name="resumeAfterUserEnd">whether the group that is owed a resume is resumed when the
        /// user, or a call's app, ends or declines the last other call; otherwise the resume is
        /// offered</param>
        /// <param name="resumeAfterRemoteEnd">whether it is resumed when that call ends in another way;
        /// otherwise it is offered</param>
        /// <param name="busyInCall">whether an incoming call is refused, and missed, while a group is
        /// live; favorites, priority callers, callers that a screener allows, emergencies and their
        /// call-backs wait as usual</param>
        /// <param name="dialWhileRinging">a start while another call rings or waits; emergencies are
        /// always started</param>
        /// <param name="videoFallback">the user's start with video at an app without it: without video,
        /// or refused</param>
        /// <param name="buttonActive">what a short button press does to a single active call</param>
        /// <param name="allowsEmergency">whether calls can be emergencies</param>
        /// <param name="priorityClaims">the providers whose claims that a caller has priority
        /// count</param>
        /// <param name="timeouts">sets all `deadlines`: to the defaults, or to CallKit's, where a start
        /// may take ten minutes; reads `compatible` while the deadlines are exactly CallKit's</param>
        /// <param name="unknownCallers">whether callers that are not in the contacts ring aloud or
        /// silently</param>
        /// <param name="region">the country of numbers without a country code; empty: such numbers stay
        /// unchanged</param>
        /// <param name="newProviders">what happens to providers that the user has not decided
        /// about</param>
        /// <param name="heartbeatMs">how long a provider with calls may be silent before it is pinged;
        /// 0: never pinged</param>
        /// <param name="extensionPercentMax">how far progress may extend an action's deadline, in
        /// percent of the original</param>
        /// <param name="ringTimeoutMs">how long a call rings, where its provider declares nothing
        /// else</param>
        /// <param name="videoRequestMs">how long the user has to decide about video or text that the
        /// remote party asks for</param>
        /// <param name="dialTimeoutMs">how long a call may be dialing, alerting or connecting without
        /// progress</param>
        /// <param name="startSilenceMs">how long a start may be silent before another start may replace
        /// it, or, if it is an emergency, before the next provider places it</param>
        /// <param name="endingWaitMs">how long an action waits for a call in its way to end</param>
        /// <param name="graceMs">how long the calls of a disconnected provider are kept</param>
        /// <param name="separateAppGraceMs">`grace_ms` of providers whose app is a separate
        /// process</param>
        /// <param name="restartGraceMs">how long providers have to reconnect after a restart of the
        /// broker</param>
        /// <param name="screeningMs">how long filters may take to decide about an incoming call</param>
        /// <param name="reportAgeMs">the greatest age of a missed or adopted call that is still
        /// believed</param>
        /// <param name="offerMs">how long a provider may take to accept a transaction as a
        /// whole</param>
        /// <param name="emergencyCallbackMs">how long after an emergency calls of the same provider
        /// ring as call-backs</param>
        /// <param name="shortRingMs">missed calls that rang for less are marked `short_ring`</param>
        /// <param name="endedCallsMax">the number of ended call ids remembered</param>
        /// <param name="endedCallsMs">how long an ended call id is remembered</param>
        /// <param name="doNotDisturb">when calls do not ring; absent members keep their values</param>
        /// <param name="history">how much history is kept</param>
        /// <param name="authorization">by provider; null removes an entry, absent ones stay</param>
        /// <param name="emergency">which calls are emergencies, and which providers place them; absent
        /// members keep their values</param>
        /// <param name="rights">rules about what programs may do, instead of the former ones: the first
        /// that applies to a client counts</param>
        /// <param name="handover">which clients may delay the audio of a call; absent members keep
        /// their values</param>
        /// <param name="limits">limits of the host; absent members keep their values</param>
        /// <param name="deadlines">how long an action may take, by its kind, where the provider
        /// declares nothing else; applied after `timeouts`, and absent members keep their
        /// values</param>
        /// <param name="defaultProvider">the provider that places a call, by URI scheme; null removes
        /// an entry, absent ones stay</param>
        public static Task<JObject> PolicySetAsync(
            this Client client, string onHoldFailure = null, string onCannotHold = null,
            bool? resumeAfterUserEnd = null, bool? resumeAfterRemoteEnd = null,
            bool? busyInCall = null, string dialWhileRinging = null,
            string videoFallback = null, string buttonActive = null,
            bool? allowsEmergency = null, object priorityClaims = null, string timeouts = null,
            string unknownCallers = null, string region = null, string newProviders = null,
            long? heartbeatMs = null, long? extensionPercentMax = null,
            long? ringTimeoutMs = null, long? videoRequestMs = null, long? dialTimeoutMs = null,
            long? startSilenceMs = null, long? endingWaitMs = null, long? graceMs = null,
            long? separateAppGraceMs = null, long? restartGraceMs = null,
            long? screeningMs = null, long? reportAgeMs = null, long? offerMs = null,
            long? emergencyCallbackMs = null, long? shortRingMs = null,
            long? endedCallsMax = null, long? endedCallsMs = null, object doNotDisturb = null,
            object history = null, object authorization = null, object emergency = null,
            object rights = null, object handover = null, object limits = null,
            object deadlines = null, object defaultProvider = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("policy.set", new JObject()
                .And("on_hold_failure", onHoldFailure)
                .And("on_cannot_hold", onCannotHold)
                .And("resume_after_user_end", resumeAfterUserEnd)
                .And("resume_after_remote_end", resumeAfterRemoteEnd)
                .And("busy_in_call", busyInCall)
                .And("dial_while_ringing", dialWhileRinging)
                .And("video_fallback", videoFallback)
                .And("button_active", buttonActive)
                .And("allows_emergency", allowsEmergency)
                .And("priority_claims", priorityClaims)
                .And("timeouts", timeouts)
                .And("unknown_callers", unknownCallers)
                .And("region", region)
                .And("new_providers", newProviders)
                .And("heartbeat_ms", heartbeatMs)
                .And("extension_percent_max", extensionPercentMax)
                .And("ring_timeout_ms", ringTimeoutMs)
                .And("video_request_ms", videoRequestMs)
                .And("dial_timeout_ms", dialTimeoutMs)
                .And("start_silence_ms", startSilenceMs)
                .And("ending_wait_ms", endingWaitMs)
                .And("grace_ms", graceMs)
                .And("separate_app_grace_ms", separateAppGraceMs)
                .And("restart_grace_ms", restartGraceMs)
                .And("screening_ms", screeningMs)
                .And("report_age_ms", reportAgeMs)
                .And("offer_ms", offerMs)
                .And("emergency_callback_ms", emergencyCallbackMs)
                .And("short_ring_ms", shortRingMs)
                .And("ended_calls_max", endedCallsMax)
                .And("ended_calls_ms", endedCallsMs)
                .And("do_not_disturb", doNotDisturb)
                .And("history", history)
                .And("authorization", authorization)
                .And("emergency", emergency)
                .And("rights", rights)
                .And("handover", handover)
                .And("limits", limits)
                .And("deadlines", deadlines)
                .And("default_provider", defaultProvider), cancellation);

        /// <summary>Issues a credential for a program of another user, or of a container.</summary>
        /// <param name="name">the name by which the user revokes it</param>
        /// <param name="uid">the user who may use it; any if left out</param>
        /// <param name="identity">the identity that the client has to give with it; any if left
        /// out</param>
        /// <param name="roles">the roles that the client may have; observer if left out</param>
        /// <param name="calls">the calls that it sees and reaches; all if left out</param>
        /// <param name="redacted">whether numbers and names of remote parties are kept from it; true if
        /// left out</param>
        /// <param name="expiresInMs">how long it lasts; until it is revoked if left out</param>
        public static Task<JObject> GrantIssueAsync(
            this Client client, string name, long? uid = null, string identity = null,
            object roles = null, string calls = null, bool? redacted = null,
            long? expiresInMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("grant.issue", new JObject()
                .Needing("name", name)
                .And("uid", uid)
                .And("identity", identity)
                .And("roles", roles)
                .And("calls", calls)
                .And("redacted", redacted)
                .And("expires_in_ms", expiresInMs), cancellation);

        /// <summary>Lists the grants.</summary>
        public static Task<JObject> GrantListAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("grant.list", new JObject(), cancellation);

        /// <summary>Revokes a grant.</summary>
        /// <param name="name">the name by which the user revokes it</param>
        public static Task<JObject> GrantRevokeAsync(
            this Client client, string name,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("grant.revoke", new JObject().Needing("name", name), cancellation);

        /// <summary>Loads a part of a directory.</summary>
        /// <param name="generation">the generation; higher than the active one</param>
        /// <param name="final">whether this is the last part</param>
        /// <param name="entries">the entries</param>
        /// <param name="source">the directory; a plugin's own if left out</param>
        public static Task<JObject> DirectoryPutEntriesAsync(
            this Client client, long generation, bool final, object entries,
            string source = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("directory.put_entries", new JObject()
                .Needing("generation", generation)
                .Needing("final", final)
                .Needing("entries", entries)
                .And("source", source), cancellation);

        /// <summary>Changes the active generation.</summary>
        /// <param name="source">the directory; a plugin's own if left out</param>
        /// <param name="add">entries to add</param>
        /// <param name="removeLabels">numbers whose labels are removed</param>
        /// <param name="removeBlocks">numbers to unblock</param>
        /// <param name="removeAllLabels">whether to remove all labels</param>
        /// <param name="removeAllBlocks">whether to remove all blocks</param>
        public static Task<JObject> DirectoryChangeEntriesAsync(
            this Client client, string source = null, object add = null,
            object removeLabels = null, object removeBlocks = null,
            bool? removeAllLabels = null, bool? removeAllBlocks = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("directory.change_entries", new JObject()
                .And("source", source)
                .And("add", add)
                .And("remove_labels", removeLabels)
                .And("remove_blocks", removeBlocks)
                .And("remove_all_labels", removeAllLabels)
                .And("remove_all_blocks", removeAllBlocks), cancellation);

        /// <summary>Removes a directory with all its entries.</summary>
        /// <param name="source">the directory; a plugin's own if left out</param>
        /// <param name="generation">accepted and ignored</param>
        public static Task<JObject> DirectoryClearAsync(
            this Client client, string source = null, long? generation = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("directory.clear", new JObject()
                .And("source", source)
                .And("generation", generation), cancellation);

        /// <summary>Lists the directories.</summary>
        public static Task<JObject> DirectoryListAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("directory.list", new JObject(), cancellation);

        /// <summary>Enables or disables a directory.</summary>
        /// <param name="source">its name</param>
        /// <param name="enabled">whether the directory is enabled</param>
        public static Task<JObject> DirectoryEnableAsync(
            this Client client, string source, bool enabled,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("directory.enable", new JObject()
                .Needing("source", source)
                .Needing("enabled", enabled), cancellation);

        /// <summary>Blocks an address or a prefix.</summary>
        /// <param name="handle">a number or address</param>
        /// <param name="prefix">all addresses of this type with this prefix</param>
        /// <param name="reason">a note for the user</param>
        public static Task<JObject> BlockAddAsync(
            this Client client, object handle = null, object prefix = null,
            string reason = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("block.add", new JObject()
                .And("handle", handle)
                .And("prefix", prefix)
                .And("reason", reason), cancellation);

        /// <summary>Removes a block.</summary>
        /// <param name="handle">a number or address</param>
        /// <param name="prefix">all addresses of this type with this prefix</param>
        public static Task<JObject> BlockRemoveAsync(
            this Client client, object handle = null, object prefix = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("block.remove", new JObject()
                .And("handle", handle)
                .And("prefix", prefix), cancellation);

        /// <summary>Lists the blocks.</summary>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> BlockListAsync(
            this Client client, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("block.list", new JObject()
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Adds or replaces a contact.</summary>
        /// <param name="name">the user's name for the contact</param>
        /// <param name="handles">numbers and addresses</param>
        /// <param name="contact">the contact to replace; a new one if left out</param>
        /// <param name="favorite">whether the contact is a favorite, whose calls come in despite
        /// `busy_in_call`</param>
        /// <param name="breakthrough">whether the contact's calls come in despite do-not-disturb and
        /// `busy_in_call`</param>
        /// <param name="provider">the app for calls to the contact</param>
        public static Task<JObject> ContactPutAsync(
            this Client client, string name, object handles, string contact = null,
            bool? favorite = null, bool? breakthrough = null, string provider = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("contact.put", new JObject()
                .Needing("name", name)
                .Needing("handles", handles)
                .And("contact", contact)
                .And("favorite", favorite)
                .And("breakthrough", breakthrough)
                .And("provider", provider), cancellation);

        /// <summary>Removes a contact.</summary>
        /// <param name="contact">the contact</param>
        public static Task<JObject> ContactRemoveAsync(
            this Client client, string contact,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("contact.remove", new JObject()
                .Needing("contact", contact), cancellation);

        /// <summary>Lists the contacts.</summary>
        /// <param name="text">a part of the name or of a number</param>
        /// <param name="favorites">whether to list favorites only</param>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> ContactListAsync(
            this Client client, string text = null, bool? favorites = null, string after = null,
            long? limit = null, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("contact.list", new JObject()
                .And("text", text)
                .And("favorites", favorites)
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Lists past calls.</summary>
        /// <param name="filter">a filter; all entries if left out</param>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number; as many as fit if left out</param>
        public static Task<JObject> HistoryListAsync(
            this Client client, object filter = null, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("history.list", new JObject()
                .And("filter", filter)
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Adds up past calls by app, or by number.</summary>
        /// <param name="by">what each sum is about</param>
        /// <param name="filter">a filter; all entries if left out</param>
        /// <param name="limit">the number of sums; 100 if left out</param>
        public static Task<JObject> HistorySumAsync(
            this Client client, string by, object filter = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("history.sum", new JObject()
                .Needing("by", by)
                .And("filter", filter)
                .And("limit", limit), cancellation);

        /// <summary>Removes entries.</summary>
        /// <param name="entries">the numbers of the entries</param>
        public static Task<JObject> HistoryRemoveAsync(
            this Client client, object entries,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("history.remove", new JObject()
                .Needing("entries", entries), cancellation);

        /// <summary>Removes all entries, or those that match a filter.</summary>
        /// <param name="filter">a filter; all entries if left out</param>
        public static Task<JObject> HistoryClearAsync(
            this Client client, object filter = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("history.clear", new JObject().And("filter", filter), cancellation);

        /// <summary>Marks missed calls as seen.</summary>
        /// <param name="untilAtMs">only calls that ended by this time; all if left out</param>
        public static Task<JObject> HistoryMarkSeenAsync(
            this Client client, long? untilAtMs = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("history.mark_seen", new JObject()
                .And("until_at_ms", untilAtMs), cancellation);

        /// <summary>Adds entries of calls that are over.</summary>
        /// <param name="entries">the entries</param>
        public static Task<JObject> HistoryImportAsync(
            this Client client, object entries,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("history.import", new JObject()
                .Needing("entries", entries), cancellation);

        /// <summary>Lists the plugins.</summary>
        /// <param name="plugin">only this plugin</param>
        /// <param name="after">`next` of the page before</param>
        /// <param name="limit">the greatest number</param>
        public static Task<JObject> PluginListAsync(
            this Client client, string plugin = null, string after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.list", new JObject()
                .And("plugin", plugin)
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Starts a plugin.</summary>
        /// <param name="plugin">its identity</param>
        public static Task<JObject> PluginStartAsync(
            this Client client, string plugin,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.start", new JObject()
                .Needing("plugin", plugin), cancellation);

        /// <summary>Stops a plugin.</summary>
        /// <param name="plugin">its identity</param>
        public static Task<JObject> PluginStopAsync(
            this Client client, string plugin,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.stop", new JObject()
                .Needing("plugin", plugin), cancellation);

        /// <summary>Restarts a plugin.</summary>
        /// <param name="plugin">its identity</param>
        public static Task<JObject> PluginRestartAsync(
            this Client client, string plugin,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.restart", new JObject()
                .Needing("plugin", plugin), cancellation);

        /// <summary>Enables a plugin.</summary>
        /// <param name="plugin">its identity</param>
        public static Task<JObject> PluginEnableAsync(
            this Client client, string plugin,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.enable", new JObject()
                .Needing("plugin", plugin), cancellation);

        /// <summary>Disables a plugin.</summary>
        /// <param name="plugin">its identity</param>
        public static Task<JObject> PluginDisableAsync(
            this Client client, string plugin,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.disable", new JObject()
                .Needing("plugin", plugin), cancellation);

        /// <summary>Rereads the manifests.</summary>
        public static Task<JObject> PluginRescanAsync(
            this Client client, CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.rescan", new JObject(), cancellation);

        /// <summary>Returns the output of a plugin.</summary>
        /// <param name="plugin">its identity</param>
        /// <param name="after">only lines with a higher number</param>
        /// <param name="limit">the number of lines, the latest ones; 100 if left out</param>
        public static Task<JObject> PluginLogsAsync(
            this Client client, string plugin, long? after = null, long? limit = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.logs", new JObject()
                .Needing("plugin", plugin)
                .And("after", after)
                .And("limit", limit), cancellation);

        /// <summary>Lists problems of plugins.</summary>
        /// <param name="plugin">only this plugin</param>
        public static Task<JObject> PluginDoctorAsync(
            this Client client, string plugin = null,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.doctor", new JObject().And("plugin", plugin), cancellation);

        /// <summary>Sets an option of a plugin.</summary>
        /// <param name="plugin">its identity</param>
        /// <param name="option">the option</param>
        /// <param name="value">a value of the option's type; null: the default</param>
        public static Task<JObject> PluginSetOptionAsync(
            this Client client, string plugin, string option, object value,
            CancellationToken cancellation = default(CancellationToken)) =>
            client.RequestAsync("plugin.set_option", new JObject()
                .Needing("plugin", plugin)
                .Needing("option", option)
                .Needing("value", value), cancellation);
    }

    /// <summary>All that the broker sends: requests for Client.Handle, notifications for
    /// Client.On.</summary>
    public static class Received
    {
        /// <summary>Checks whether the other side responds.</summary>
        public const string BrokerPing = "broker.ping";
        /// <summary>Cancels a request.</summary>
        public const string BrokerCancel = "broker.cancel";
        /// <summary>Reports progress of a request.</summary>
        public const string BrokerProgress = "broker.progress";
        /// <summary>Warns a client of a mistake.</summary>
        public const string BrokerWarning = "broker.warning";
        /// <summary>Announces the end of a connection.</summary>
        public const string BrokerGoodbye = "broker.goodbye";
        /// <summary>Asks a provider to mute a participant, or to raise a hand.</summary>
        public const string ParticipantChange = "participant.change";
        /// <summary>Asks a provider to perform an action.</summary>
        public const string ProviderPerform = "provider.perform";
        /// <summary>Offers a provider a transaction to execute as a whole.</summary>
        public const string ProviderExecute = "provider.execute";
        /// <summary>An action has timed out.</summary>
        public const string ProviderTimedOut = "provider.timed_out";
        /// <summary>Instructs a provider to discard all of its calls.</summary>
        public const string ProviderReset = "provider.reset";
        /// <summary>The group may use microphone and speaker.</summary>
        public const string AudioActivated = "audio.activated";
        /// <summary>The group may no longer use microphone and speaker.</summary>
        public const string AudioDeactivated = "audio.deactivated";
        /// <summary>The way in which an app should ring has changed.</summary>
        public const string CallPresentation = "call.presentation";
        /// <summary>The authorization of the provider has changed.</summary>
        public const string ProviderAuthorizationChanged = "provider.authorization_changed";
        /// <summary>Asks a provider to change a setting of one of its lines.</summary>
        public const string LineChangeSetting = "line.change_setting";
        /// <summary>Delivers a push of the app's server.</summary>
        public const string PushReceived = "push.received";
        /// <summary>The app never posted an incoming call after a VoIP push.</summary>
        public const string PushUnreported = "push.unreported";
        /// <summary>The address at which the app's server can push to it.</summary>
        public const string PushToken = "push.token";
        /// <summary>Asks a provider to send real-time text.</summary>
        public const string ProviderSendText = "provider.send_text";
        /// <summary>Asks for another audio endpoint of the host to be used.</summary>
        public const string AudioUseEndpoint = "audio.use_endpoint";
        /// <summary>Asks an observer of the handover to be ready for the audio of a call.</summary>
        public const string AudioHandover = "audio.handover";
        /// <summary>An event of a subscribed topic.</summary>
        public const string Event = "event";
        /// <summary>Events were lost.</summary>
        public const string EventsGap = "events.gap";
        /// <summary>Asks a screen to present a call.</summary>
        public const string UiPresent = "ui.present";
        /// <summary>Instructs a screen to dismiss a call.</summary>
        public const string UiDismiss = "ui.dismiss";
        /// <summary>Asks the user whether an app may do something.</summary>
        public const string UiAsk = "ui.ask";
        /// <summary>Asks a screener whether a call may ring.</summary>
        public const string ScreenerCheck = "screener.check";
        /// <summary>Asks a directory about a number.</summary>
        public const string DirectoryLookup = "directory.lookup";
        /// <summary>Notifies a plugin of changed options.</summary>
        public const string PluginOptionsChanged = "plugin.options_changed";
    }

    /// <summary>The topics of events.</summary>
    public static class Topics
    {
        /// <summary>A call was added.</summary>
        public const string CallAdded = "call.added";
        /// <summary>A call has changed.</summary>
        public const string CallChanged = "call.changed";
        /// <summary>The allowed actions of a call have changed.</summary>
        public const string CallAllowedChanged = "call.allowed_changed";
        /// <summary>A call was removed.</summary>
        public const string CallRemoved = "call.removed";
        /// <summary>An incoming call was refused, or the headset button could not answer it.</summary>
        public const string CallRefused = "call.refused";
        /// <summary>A request for call.dial was refused or has failed.</summary>
        public const string CallDialRefused = "call.dial_refused";
        /// <summary>A held call can be resumed.</summary>
        public const string CallResumeOffered = "call.resume_offered";
        /// <summary>The quality of a call was reported.</summary>
        public const string CallQuality = "call.quality";
        /// <summary>The participants of a conference have changed.</summary>
        public const string CallParticipants = "call.participants";
        /// <summary>Real-time text of a call.</summary>
        public const string CallText = "call.text";
        /// <summary>A transaction was accepted.</summary>
        public const string TransactionAccepted = "transaction.accepted";
        /// <summary>A transaction was completed.</summary>
        public const string TransactionCompleted = "transaction.completed";
        /// <summary>An action was sent to its provider.</summary>
        public const string ActionDispatched = "action.dispatched";
        /// <summary>An action was performed.</summary>
        public const string ActionFulfilled = "action.fulfilled";
        /// <summary>An action has failed: its provider refused, or is gone.</summary>
        public const string ActionFailed = "action.failed";
        /// <summary>An action has timed out.</summary>
        public const string ActionTimedOut = "action.timed_out";
        /// <summary>A late reply to an action.</summary>
        public const string ActionLate = "action.late";
        /// <summary>A provider has registered.</summary>
        public const string ProviderAdded = "provider.added";
        /// <summary>A provider has changed its registration.</summary>
        public const string ProviderChanged = "provider.changed";
        /// <summary>A provider has reconnected.</summary>
        public const string ProviderResumed = "provider.resumed";
        /// <summary>A provider has disconnected.</summary>
        public const string ProviderLost = "provider.lost";
        /// <summary>A provider was removed.</summary>
        public const string ProviderRemoved = "provider.removed";
        /// <summary>The state of the host has changed.</summary>
        public const string HostChanged = "host.changed";
        /// <summary>What the user of the host is doing has changed.</summary>
        public const string HostPresence = "host.presence";
        /// <summary>The audio was granted to another group.</summary>
        public const string AudioChanged = "audio.changed";
        /// <summary>The audio endpoints of the host have changed.</summary>
        public const string AudioEndpointsChanged = "audio.endpoints_changed";
        /// <summary>Another screen is offered calls first.</summary>
        public const string ScreenChanged = "screen.changed";
        /// <summary>The policy has changed.</summary>
        public const string PolicyChanged = "policy.changed";
        /// <summary>The history has changed.</summary>
        public const string HistoryChanged = "history.changed";
        /// <summary>An anomaly occurred.</summary>
        public const string BrokerAnomaly = "broker.anomaly";
        /// <summary>No events have occurred.</summary>
        public const string BrokerBookmark = "broker.bookmark";
        /// <summary>The broker is stopping.</summary>
        public const string BrokerStopping = "broker.stopping";
        /// <summary>The state of a plugin has changed.</summary>
        public const string PluginState = "plugin.state";
        /// <summary>A plugin has written a line.</summary>
        public const string PluginLog = "plugin.log";
    }
}
