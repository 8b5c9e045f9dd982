internal import BrokerSocket

// Declarations and actions of participants.

extension ScenarioRun {
    func declare(
        _ step: ScenarioFile.Step, _ line: Int
    ) throws(ScenarioFailure) {
        switch step {
        case .provider(let name, let description):
            declared[name] = step
            try declare(provider: name, description, line)
        case .program(let name, let description):
            declared[name] = step
            try declare(program: name, description, line)
        case .controller(let name):
            participants[name] = .controller(broker.controller(name))
        case .scripted(let name, let description):
            names.identities[name] = description.identity
            let peer = ScriptedPeer(name, description, of: broker) { [unowned self] in
                $0.tree(names)
            }
            participants[name] = .scripted(peer)
            try open(peer, line)
        case .act, .shell, .expect, .state: break
        }
    }

    private func declare(
        provider name: String, _ description: ScenarioFile.ProviderDescription, _ line: Int
    ) throws(ScenarioFailure) {
        let identity = description.identity
        names.identities[name] = identity
        let watch = ProcessWatch()
        let members = description.registration.tree(names).json.dropFirst().dropLast()
        let provider = FakeProvider(
            identity, Client(identity, of: broker, process: watch),
            registering: String(members), hearing: description.topics)
        provider.answers = description.answers
        participants[name] = .provider(provider, watch)
        try checkRegistered(name, provider, line)
    }

    private func checkRegistered(
        _ name: String, _ provider: FakeProvider, _ line: Int
    ) throws(ScenarioFailure) {
        guard provider.registered.result == nil else { return }
        throw ScenarioFailure(
            line: line, expected: "\(name) is registered",
            instead: ["error \(provider.registered.error?.description ?? "")"])
    }

    private func open(_ peer: ScriptedPeer, _ line: Int) throws(ScenarioFailure) {
        guard let refused = peer.open() else { return }
        throw ScenarioFailure(
            line: line, expected: "\(peer.name) is there", instead: [refused])
    }

    // MARK: - Actions

    func play(
        _ act: ScenarioFile.Act, _ line: ScenarioFile.Line
    ) throws(ScenarioFailure) {
        switch act {
        case .request(let who, let method, let params):
            let reply = request(who, method, params.tree(names).json)
            latest[who] = (line.number, reply, line.text)
            unanswered.append((line.number, reply, line.text))
        case .answers(let who, let answers):
            if case .provider(let provider, _)? = participants[who] {
                provider.answers.merge(answers) { $1 }
            }
        case .scriptedAnswer(let who, let answer):
            if case .scripted(let peer)? = participants[who] { peer.answer = answer }
        case .settles(let who, let kind, let call, let answer):
            try settle(who, kind, call, answer, line.number)
        case .replies(let who, let call, let answer):
            try reply(who, call, answer, line.number)
        case .disconnects(let who): disconnect(who)
        case .reconnects(let who, let calls): try reconnect(who, calls, line.number)
        case .dies(let who): die(who)
        case .starts(let who):
            die(who)
            if case .program(let former)? = participants[who] { former.finish() }
            if let step = declared[who] { try declare(step, line.number) }
        case .brokerRestarts: try restart(line.number)
        }
    }

    private func request(_ who: String, _ method: String, _ params: String) -> Reply {
        switch participants[who] {
        case .provider(let provider, _)?: provider.request(method, params)
        case .controller(let controller)?: controller.request(method, params)
        case .scripted(let peer)?: peer.request(method, params)
        case .program?, nil: Reply()
        }
    }

    private func settle(
        _ who: String, _ kind: String, _ call: ScenarioPattern, _ answer: FakeProvider.Answer,
        _ line: Int
    ) throws(ScenarioFailure) {
        guard case .provider(let provider, _)? = participants[who] else { return }
        let id = call.tree(names)["call"]?.string
        let asked = provider.performed.last { $0.kind == kind && $0.call == id }
        guard let asked else {
            let others = provider.performed.suffix(5).map { "\($0.kind) of \($0.call)" }
            throw ScenarioFailure(
                line: line, expected: "a request to \(who) to perform \(kind) on that call",
                instead: refusals + (others.isEmpty ? ["no requests"] : others))
        }
        provider.answer(asked, answer)
    }

    private func reply(
        _ who: String, _ call: ScenarioPattern, _ answer: ScriptedPeer.Answer, _ line: Int
    ) throws(ScenarioFailure) {
        guard case .scripted(let peer)? = participants[who],
            !peer.reply(about: call.tree(names)["call"]?.string, answer)
        else { return }
        throw ScenarioFailure(
            line: line, expected: "a request to \(who) about that call",
            instead: refusals + ["no such request"])
    }

    private func disconnect(_ who: String) {
        switch participants[who] {
        case .provider(let provider, _)?: provider.disconnect()
        case .program(let program)?: program.disconnect()
        case .scripted(let peer)?: peer.disconnect()
        case .controller?, nil: break
        }
    }

    private func reconnect(
        _ who: String, _ calls: ScenarioPattern, _ line: Int
    ) throws(ScenarioFailure) {
        switch participants[who] {
        case .provider(let provider, _)?:
            provider.reconnect(listing: calls.tree(names)["calls"]?.json ?? "[]")
            try checkRegistered(who, provider, line)
        case .scripted(let peer)?:
            peer.disconnect()
            try open(peer, line)
        case .controller?, .program?, nil: break
        }
    }

    private func die(_ who: String) {
        switch participants[who] {
        case .provider(let provider, let watch)?:
            broker.host.exit(watch)
            provider.disconnect()
        case .program(let program)?: program.die()
        case .controller?, .scripted?, nil: break
        }
    }

    private func restart(_ line: Int) throws(ScenarioFailure) {
        do {
            try broker.restart()
        } catch {
            throw ScenarioFailure(
                line: line, expected: "the broker continues from its journal", instead: ["\(error)"]
            )
        }
        for (name, participant) in participants.sorted(by: { $0.key < $1.key }) {
            switch participant {
            case .controller: participants[name] = .controller(broker.controller(name))
            case .program(let program): program.loseBroker()
            case .scripted(let peer): try open(peer, line)
            case .provider: break
            }
        }
    }
}
