/// A request that a client may send, by the family that serves it. The router switches over the families,
/// and each of them over its own methods: one without code does not compile.
package enum ClientMethod: Sendable {
    case session(SessionMethod)
    case provider(ProviderMethod)
    case report(ReportMethod)
    case controller(ControllerMethod)
    case call(CallMethod)
    case events(EventsMethod)
    case policy(PolicyMethod)
    case screen(ScreenMethod)
    case directory(DirectoryMethod)
    case people(PeopleMethod)
    case history(HistoryMethod)
    case plugin(PluginMethod)
    case test(TestMethod)

    package enum SessionMethod: Sendable {
        case hello, ping, info, describe, discover, stats, shutdown
    }

    package enum ProviderMethod: Sendable {
        case register, update, unregister, settleAction
    }

    package enum ReportMethod: Sendable {
        case incoming, missed, connecting, connected, held, muted, group, update, ended
    }

    package enum ControllerMethod: Sendable {
        case request, start, answer, end, setHeld, setMuted, setGroup, playDTMF, dial
        case swap, merge, split, pressButton, silence
    }

    package enum CallMethod: Sendable {
        case list, get, explain, listProviders, getHost
    }

    package enum EventsMethod: Sendable {
        case subscribe, unsubscribe
    }

    package enum PolicyMethod: Sendable {
        case get, set
    }

    package enum ScreenMethod: Sendable {
        case claim, release
    }

    package enum DirectoryMethod: Sendable {
        case putEntries, changeEntries, clear, list, enable
    }

    package enum PeopleMethod: Sendable {
        case addBlock, removeBlock, listBlocks, putContact, removeContact, listContacts
    }

    package enum HistoryMethod: Sendable {
        case list, remove, clear, markSeen
    }

    package enum PluginMethod: Sendable {
        case list, start, stop, restart, enable, disable, rescan, logs, doctor, setOption
    }

    package enum TestMethod: Sendable {
        case advance, settle
    }
}

/// A notification that a client may send.
package enum ClientNotification: Sendable {
    case cancel, progress, log, goodbye
}

extension MethodName {
    /// Where the broker takes a method that it receives.
    package enum Route: Sendable {
        case request(ClientMethod)
        case notification(ClientNotification)
        /// Sent by the broker only.
        case toClient
    }

    package var route: Route {
        switch self {
        case .hello: .request(.session(.hello))
        case .ping: .request(.session(.ping))
        case .info: .request(.session(.info))
        case .describe: .request(.session(.describe))
        case .discover: .request(.session(.discover))
        case .stats: .request(.session(.stats))
        case .shutdown: .request(.session(.shutdown))
        case .register: .request(.provider(.register))
        case .updateProvider: .request(.provider(.update))
        case .unregister: .request(.provider(.unregister))
        case .settleAction: .request(.provider(.settleAction))
        case .reportIncoming: .request(.report(.incoming))
        case .reportMissed: .request(.report(.missed))
        case .reportConnecting: .request(.report(.connecting))
        case .reportConnected: .request(.report(.connected))
        case .reportHeld: .request(.report(.held))
        case .reportMuted: .request(.report(.muted))
        case .reportGroup: .request(.report(.group))
        case .reportUpdate: .request(.report(.update))
        case .reportEnded: .request(.report(.ended))
        case .request: .request(.controller(.request))
        case .start: .request(.controller(.start))
        case .answer: .request(.controller(.answer))
        case .end: .request(.controller(.end))
        case .setHeld: .request(.controller(.setHeld))
        case .setMuted: .request(.controller(.setMuted))
        case .setGroup: .request(.controller(.setGroup))
        case .playDTMF: .request(.controller(.playDTMF))
        case .dial: .request(.controller(.dial))
        case .swap: .request(.controller(.swap))
        case .merge: .request(.controller(.merge))
        case .split: .request(.controller(.split))
        case .pressButton: .request(.controller(.pressButton))
        case .silence: .request(.controller(.silence))
        case .listCalls: .request(.call(.list))
        case .getCall: .request(.call(.get))
        case .explain: .request(.call(.explain))
        case .listProviders: .request(.call(.listProviders))
        case .getHost: .request(.call(.getHost))
        case .subscribe: .request(.events(.subscribe))
        case .unsubscribe: .request(.events(.unsubscribe))
        case .getPolicy: .request(.policy(.get))
        case .setPolicy: .request(.policy(.set))
        case .claimScreen: .request(.screen(.claim))
        case .releaseScreen: .request(.screen(.release))
        case .putEntries: .request(.directory(.putEntries))
        case .changeEntries: .request(.directory(.changeEntries))
        case .clearDirectory: .request(.directory(.clear))
        case .listDirectories: .request(.directory(.list))
        case .enableDirectory: .request(.directory(.enable))
        case .addBlock: .request(.people(.addBlock))
        case .removeBlock: .request(.people(.removeBlock))
        case .listBlocks: .request(.people(.listBlocks))
        case .putContact: .request(.people(.putContact))
        case .removeContact: .request(.people(.removeContact))
        case .listContacts: .request(.people(.listContacts))
        case .listHistory: .request(.history(.list))
        case .removeHistory: .request(.history(.remove))
        case .clearHistory: .request(.history(.clear))
        case .markHistorySeen: .request(.history(.markSeen))
        case .listPlugins: .request(.plugin(.list))
        case .startPlugin: .request(.plugin(.start))
        case .stopPlugin: .request(.plugin(.stop))
        case .restartPlugin: .request(.plugin(.restart))
        case .enablePlugin: .request(.plugin(.enable))
        case .disablePlugin: .request(.plugin(.disable))
        case .rescanPlugins: .request(.plugin(.rescan))
        case .pluginLogs: .request(.plugin(.logs))
        case .pluginDoctor: .request(.plugin(.doctor))
        case .setPluginOption: .request(.plugin(.setOption))
        case .advance: .request(.test(.advance))
        case .awaitSettled: .request(.test(.settle))
        case .cancel: .notification(.cancel)
        case .progress: .notification(.progress)
        case .log: .notification(.log)
        case .goodbye: .notification(.goodbye)
        case .warning, .perform, .execute, .timedOut, .reset, .audioActivated, .audioDeactivated,
            .presentation, .authorizationChanged, .event, .gap, .check, .lookUp, .present,
            .dismissCall, .pluginOptionsChanged:
            .toClient
        }
    }
}
