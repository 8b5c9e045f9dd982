/// Parts without state of their own, each of which handles one kind of request. They are created
/// where they are used.
extension Broker {
    var frames: FrameReader { FrameReader(broker: self) }

    var sessionMethods: SessionMethods { SessionMethods(broker: self) }

    var service: ServiceMethods { ServiceMethods(broker: self) }

    var operations: OperationsMethods { OperationsMethods(broker: self) }

    var heartbeats: Heartbeats { Heartbeats(broker: self) }

    var providers: ProviderMethods { ProviderMethods(broker: self) }

    var transactions: TransactionMethods { TransactionMethods(broker: self) }

    var providerChoice: ProviderChoice { ProviderChoice(broker: self) }

    var lineChoice: LineChoice { LineChoice(broker: self) }

    var demand: ProviderDemand { ProviderDemand(broker: self) }

    var announcer: Announcer { Announcer(broker: self) }

    var filters: CallFilters { CallFilters(broker: self) }

    var callers: CallerRanking { CallerRanking(broker: self) }

    var people: PeopleMethods { PeopleMethods(broker: self) }

    var directories: DirectoryMethods { DirectoryMethods(broker: self) }

    var pluginProcesses: PluginProcesses { PluginProcesses(broker: self) }

    var pluginMethods: PluginMethods { PluginMethods(broker: self) }

    var pluginLogs: PluginLogs { PluginLogs(broker: self) }
}
