import FlyingSocks
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// The program: hands out an address of the server that runs, or serves.
@main struct Program {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            fail("unknown arguments; see callbroker-screen --help", status: 2)
        }
        guard !options.wantsHelp else { return print(Options.usage) }
        guard let places = Places(environment: ProcessInfo.processInfo.environment) else {
            fail("XDG_RUNTIME_DIR is not set; it names the folder of your login session", status: 1)
        }
        do {
            try await run(options, places)
        } catch {
            fail("the screen cannot be served: \(error)", status: 1)
        }
    }

    private static func run(_ options: Options, _ places: Places) async throws {
        let pool = SocketPool<ePoll>.ePoll(maxEvents: 64)
        try await pool.prepare()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            if let address = await AddressSocket.ask(path: places.addresses, pool: pool) {
                present(address, options)
            } else {
                let server = try makeServer(options, places, pool)
                let addresses = try AddressSocket(
                    path: places.addresses, site: server.site, pool: pool)
                group.addTask { try await server.run() }
                group.addTask { try await addresses.run() }
                if !options.isService { present(await server.site.address(), options) }
                try await group.next()
            }
            group.cancelAll()
        }
    }

    private static func makeServer(
        _ options: Options, _ places: Places, _ pool: some AsyncSocketPool
    ) throws -> Server {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        guard let folders = PageFolders(program: program ?? "") else {
            fail("the files of the page are not beside the program: install it anew", status: 1)
        }
        do {
            return try Server(
                port: options.port, folders: folders, brokerPath: places.broker, pool: pool)
        } catch {
            fail(
                "port \(options.port) of 127.0.0.1 is not free; choose another with --port",
                status: 1)
        }
    }

    /// Shows an address to the user.
    private static func present(_ address: String, _ options: Options) {
        print(address)
        fflush(nil)
        if options.opensBrowser, !Browser.open(address) {
            report("no browser was opened, is xdg-open installed? Open the address above")
        }
    }

    private static func report(_ message: String) {
        let line = Array("callbroker-screen: \(message)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        report(message)
        exit(status)
    }
}
