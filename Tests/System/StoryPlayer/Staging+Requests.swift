internal import CallArbitration
internal import CallModel

/// What is asked for, and what providers answer.
extension Staging {
    private mutating func client(
        for requester: Requester, in act: inout Act
    ) -> Client {
        switch requester {
        case .user: .user
        case .app(let provider): connect(provider, in: &act)
        }
    }

    private mutating func ask(
        _ token: RequestToken, _ form: Asked.Form, _ method: String, _ params: [String: Wire?],
        from client: Client, in act: inout Act
    ) throws(Unplayable) {
        asked[token.number] = Asked(client: client, form: form, isDial: method == "call.dial")
        if case .provider(let provider, _) = client {
            lines[provider]?.waiting.insert(token.number)
        }
        try send(token.number, method, .members(params), from: client, in: &act)
    }

    // MARK: - Transactions

    /// One action has a method of its own: every other of these goes that way.
    mutating func ask(_ request: TransactionRequest, in act: inout Act) throws(Unplayable) {
        let client = client(for: request.requester, in: &act)
        var params = members(of: request.options)
        for action in request.actions where action.action.kind == .start {
            guard let provider = action.provider else { throw .providerIsChosen }
            let isThere = lines[provider]?.isOpen ?? false
            if action.action.isEmergencyStart, request.requester == .user, !isThere {
                throw .providerIsChosen
            }
        }
        let form = Asked.Form.transaction(isDryRun: request.options.isDryRun)
        if request.actions.count == 1, request.token.number % 2 == 1 {
            let (method, more) = short(request.actions[0])
            if request.options.endsGroup, method == "call.end" { params["group"] = true }
            try ask(
                request.token, form, method, params.merging(more) { $1 }, from: client, in: &act)
        } else {
            params["actions"] = .array(request.actions.map { long($0) })
            if request.options.endsGroup { params["group"] = true }
            try ask(request.token, form, "transaction.request", params, from: client, in: &act)
        }
        for action in request.actions {
            guard case .start(let start) = action.action, start.hasVideo else { continue }
            asked[request.token.number]?.videoStarts.insert(action.call)
        }
    }

    private func members(of options: CallOptions) -> [String: Wire?] {
        [
            "on_conflict": options.onConflict == .hold ? nil : "end",
            "wait": options.wait == .accepted ? nil : "completed",
            "dry_run": options.isDryRun ? true : nil,
            "deadline_ms": options.deadlineMS.map { .number($0) },
            "transaction": options.transaction.map { .string($0.description) },
        ]
    }

    private func long(_ action: RequestedAction) -> Wire {
        .members([
            "kind": .string(action.action.kind.rawValue), "call": .call(action.call),
            "provider": action.provider.map { .provider($0) },
            "arguments": .arguments(action.action),
            "choice": action.choice == .plain ? nil : .string(action.choice.rawValue),
        ])
    }

    /// The method of the action's name; for a start that needs no more, that for dialled addresses.
    private func short(_ action: RequestedAction) -> (method: String, [String: Wire?]) {
        var params: [String: Wire?] = ["call": .call(action.call)]
        if let provider = action.provider { params["provider"] = .provider(provider) }
        if case .start(let start) = action.action, start.remote.kind == .phone,
            start.contact == nil, !start.isEmergency, !start.isBackground
        {
            params["uri"] = .string("tel:" + start.remote.value)
            if start.hasVideo { params["has_video"] = true }
            if start.hasText { params["has_text"] = true }
            if let line = start.line { params["line"] = .string(line) }
            return ("call.dial", params)
        }
        if action.choice != .plain { params["choice"] = .string(action.choice.rawValue) }
        guard case .object(let arguments) = Wire.arguments(action.action) else {
            preconditionFailure("arguments are an object")
        }
        return (
            "call." + action.action.kind.rawValue,
            params.merging(arguments.mapValues { $0 }) { $1 }
        )
    }

    mutating func askForPlan(_ event: ArbiterEvent, in act: inout Act) throws(Unplayable) {
        switch event {
        case .swapRequested(let token, let requester, let call, let options):
            try askForPlan(
                token, requester, "call.swap", ["call": call.map { .call($0) }], options, in: &act)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            try askForPlan(
                token, requester, "call.merge", ["call": .call(call), "with": .call(other)],
                options, in: &act)
        case .splitRequested(let token, let requester, let call, let options):
            try askForPlan(
                token, requester, "call.split", ["call": .call(call)], options, in: &act)
        case .buttonPressed(let token, let press):
            try askForPlan(
                token, .user, "call.press_button", ["press": .string(press.rawValue)],
                CallOptions(), in: &act)
        case .silenceRequested(let token, let requester, let call):
            let client = client(for: requester, in: &act)
            try ask(
                token, .plain, "call.silence", ["call": .call(call)], from: client, in: &act)
        case .prioritizeRequested(let token, let requester, let call):
            let client = client(for: requester, in: &act)
            try ask(
                token, .plain, "call.prioritize", ["call": .call(call)], from: client, in: &act)
        default: preconditionFailure("not a request for a plan")
        }
    }

    private mutating func askForPlan(
        _ token: RequestToken, _ requester: Requester, _ method: String, _ params: [String: Wire?],
        _ options: CallOptions, in act: inout Act
    ) throws(Unplayable) {
        let client = client(for: requester, in: &act)
        try ask(
            token, .transaction(isDryRun: options.isDryRun), method,
            params.merging(members(of: options)) { $1 }, from: client, in: &act)
    }

    /// - Parameter isVain: nothing follows from it; then the id may be that of no request.
    mutating func cancel(
        _ token: RequestToken, isVain: Bool, in act: inout Act
    ) throws(Unplayable) {
        guard asked[token.number] != nil || isVain else { throw .repliedAlready }
        act.moves.append(
            .send(
                asked[token.number]?.client ?? .user,
                .notification("broker.cancel", ["request": .int(Int64(token.number))])))
    }

    // MARK: - Answers of providers

    /// What a provider says to an action.
    enum Answer {
        case fulfilled(at: Instant?)
        case failed(ActionFailure)
    }

    /// The answer to the perform, or, where there is none that is open, `action.settle`.
    mutating func answer(
        _ action: ActionID, by provider: ProviderID, _ answer: Answer, in act: inout Act
    ) throws(Unplayable) -> Ending? {
        let client = connect(provider, in: &act)
        if let id = lines[provider]?.performs.removeValue(forKey: action) {
            let (name, value) = reply(answer)
            let frame = Wire.members(["jsonrpc": "2.0", "id": .int(id), name: value])
            act.moves.append(.send(client, frame))
            return nil
        }
        return try settle(action, by: provider, answer, from: client, in: &act)
    }

    private func reply(_ answer: Answer) -> (name: String, value: Wire) {
        switch answer {
        case .fulfilled(let at): ("result", .members(["at_ms": at.map { clock.unixMS($0) }]))
        case .failed(let failure):
            (
                "error",
                [
                    "code": .number(failure.code), "message": .string(failure.message ?? ""),
                    "data": .members([
                        "reason": .string(failure.reason),
                        "app_code": failure.appCode.map { .string($0) },
                    ]),
                ]
            )
        }
    }

    private mutating func settle(
        _ action: ActionID, by provider: ProviderID, _ answer: Answer,
        from client: Client, in act: inout Act
    ) throws(Unplayable) -> Ending {
        guard lines[provider]?.isRegistered ?? false else { throw .notRegistered }
        let id = ownID()
        var params: [String: Wire?] = ["action": .string(action.description)]
        switch answer {
        case .fulfilled(let at):
            params["outcome"] = "fulfilled"
            params["at_ms"] = at.map { clock.unixMS($0) }
        case .failed(let failure):
            params["outcome"] = "failed"
            params["reason"] = .string(failure.reason)
            params["message"] = failure.message.map { .string($0) }
            params["app_code"] = failure.appCode.map { .string($0) }
        }
        try send(id, "action.settle", .members(params), from: client, in: &act)
        return { $1.expectReply(to: id, ["seq": .int($0.seq)], at: client) }
    }

    mutating func extend(
        _ action: ActionID, by provider: ProviderID, _ byMS: Int, isVain: Bool, in act: inout Act
    ) throws(Unplayable) {
        let line = lines[provider]
        let performs = isVain ? line?.formerPerforms : line?.performs
        guard let client = client(of: provider), let id = performs?[action] else {
            throw .noOpenPerform
        }
        act.moves.append(
            .send(
                client,
                .notification(
                    "broker.progress", ["request": .int(id), "extend_ms": .number(byMS)])))
    }

    mutating func settle(
        _ transaction: TransactionID, by provider: ProviderID, _ isTaken: Bool, isVain: Bool,
        in act: inout Act
    ) throws(Unplayable) {
        let line = lines[provider]
        let offers = isVain ? line?.formerOffers : line?.offers
        guard let client = client(of: provider), let id = offers?[transaction] else {
            throw .noOpenOffer
        }
        lines[provider]?.offers[transaction] = nil
        let frame: Wire = [
            "jsonrpc": "2.0", "id": .int(id), "result": ["taken": .bool(isTaken)],
        ]
        act.moves.append(.send(client, frame))
    }
}

extension CallAction {
    fileprivate var isEmergencyStart: Bool {
        if case .start(let start) = self { start.isEmergency } else { false }
    }
}
