package import BrokerJSON
package import CallModel

/// A report of a provider about one of its calls.
package enum ReportRequest {
    case incoming(IncomingParams)
    case missed(MissedParams)
    case alerting(ReportAlertingParams)
    case videoRequest(ReportVideoRequestParams)
    case textRequest(ReportTextRequestParams)
    case text(CallTextParams)
    case connecting(ReportParams)
    case connected(ReportParams)
    case held(ReportHeldParams)
    case muted(ReportMutedParams)
    case group(ReportGroupParams)
    case update(ReportUpdateParams)
    case ended(ReportEndedParams)
    case quality(ReportQualityParams)
    case participants(ReportParticipantsParams)
    case external(ExternalParams)
}

/// The params of `call.report_external`.
package struct ExternalParams: MethodParams {
    package let report: ReportParams
    package let direction: Direction
    package let update: CallUpdate

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        direction = Direction(params?["direction"]) ?? .incoming
        update = CallUpdate(checked: try params.required())
    }
}

/// The params of `call.report_participants`.
package struct ReportParticipantsParams: MethodParams {
    package let call: CallID
    package let change: ParticipantsChange

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        change = ParticipantsChange(checked: params)
    }
}

/// The params of `call.report_quality`.
package struct ReportQualityParams: MethodParams {
    package let call: CallID
    package let quality: CallQuality

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        quality = CallQuality(params)
    }
}

/// The params of `call.report_incoming`.
package struct IncomingParams: MethodParams {
    package let call: CallID
    package let update: CallUpdate
    /// Unix time in milliseconds.
    package let receivedAtMS: Int64?
    /// True if the reply says only what a report would do.
    package let isDryRun: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        update = CallUpdate(checked: try params.required())
        receivedAtMS = params?["received_at_ms"]?.integer
        isDryRun = params?["dry_run"]?.boolean ?? false
    }
}

/// The params of `call.may_ring`.
package struct MayRingParams: MethodParams {
    package let provider: ProviderID
    package let update: CallUpdate

    package init(checked params: JSONValue?) throws(SchemaFault) {
        provider = try params.required("provider", ProviderID.init)
        update = CallUpdate(checked: try params.required())
    }
}

/// The params of `call.report_missed`.
package struct MissedParams: MethodParams {
    package let call: CallID
    package let update: CallUpdate
    package let reasons: MissedReasons
    /// Unix time in milliseconds.
    package let atMS: Int64?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        update = CallUpdate(checked: try params.required())
        reasons = params?["reason"]?.string.flatMap(MissedReasons.init(name:)) ?? []
        atMS = params?["at_ms"]?.integer
    }
}

/// The params that every other report has.
package struct ReportParams: MethodParams {
    package let call: CallID
    /// Unix time in milliseconds; nil for now.
    package let atMS: Int64?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        atMS = params?["at_ms"]?.integer
    }
}

/// The params of `call.report_alerting`.
package struct ReportAlertingParams: MethodParams {
    package let report: ReportParams
    /// Nil if the report says nothing about it.
    package let hasEarlyMedia: Bool?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        hasEarlyMedia = params?["has_early_media"]?.boolean
    }
}

/// The params of `call.report_video_request`.
package struct ReportVideoRequestParams: MethodParams {
    package let report: ReportParams
    /// Sets or withdraws the request.
    package let update: CallUpdate

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        var update = CallUpdate()
        let video = params?["video"]?.string.flatMap(VideoDirection.init(rawValue:))
        update.videoRequest = video.map { .set($0) } ?? .cleared
        self.update = update
    }
}

/// The params of `call.report_held`.
package struct ReportHeldParams: MethodParams {
    package let report: ReportParams
    package let isHeld: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        isHeld = try params.required("held") { $0?.boolean }
    }
}

/// The params of `call.report_muted`.
package struct ReportMutedParams: MethodParams {
    package let report: ReportParams
    package let isMuted: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        isMuted = try params.required("muted") { $0?.boolean }
    }
}

/// The params of `call.report_group`.
package struct ReportGroupParams: MethodParams {
    package let report: ReportParams
    /// A call of the group; nil if the call is alone.
    package let with: CallID?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        with = CallID(params?["with"])
    }
}

/// The params of `call.report_update`.
package struct ReportUpdateParams: MethodParams {
    package let report: ReportParams
    package let update: CallUpdate

    package init(checked params: JSONValue?) throws(SchemaFault) {
        report = try ReportParams(checked: params)
        update = CallUpdate(checked: try params.required())
    }
}

/// The params of `call.report_ended`.
package struct ReportEndedParams: MethodParams {
    package let report: ReportParams
    package let reason: EndReason
    package let detail: EndDetail?
    /// The device that has answered or declined the call.
    package let elsewhere: String?

    package init(checked params: JSONValue?) throws(SchemaFault) {
        reason = try params.required("reason", EndReason.init)
        detail = EndDetail(params?["end_detail"])
        elsewhere = params?["elsewhere"]?.string
        report = try ReportParams(checked: params)
    }
}
