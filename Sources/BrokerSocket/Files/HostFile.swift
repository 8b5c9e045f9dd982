internal import CLinux
internal import Glibc

/// The few things a daemon asks of the file system and of its own process.
package enum HostFile {
    /// More than anything of ours takes.
    private static let fileBytesMax = 1 << 30

    /// A whole file of at most `bytesMax` bytes.
    ///
    /// - Parameter followsLinks: whether a link may stand in its place.
    package static func read(
        _ path: String, bytesMax: Int = fileBytesMax, followsLinks: Bool = true
    ) throws(SocketError) -> [UInt8] {
        let descriptor = try PlainFile.open(path, O_RDONLY | (followsLinks ? 0 : O_NOFOLLOW))
        defer { close(descriptor) }
        return try PlainFile.bytes(of: descriptor, path, bytesMax: bytesMax)
    }

    /// What somebody named to be read, in pieces: it may not fit into memory, and may be a pipe that
    /// another program fills. Waits for that. Nil is standard input.
    package static func readPieces(
        of path: String?, _ take: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        let path = path ?? "/dev/stdin"
        let descriptor =
            path == "/dev/stdin" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SocketError.system("cannot open \(path)") }
        defer { close(descriptor) }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw SocketError.system("cannot read \(path)") }
            if count == 0 { return }
            try take(piece[..<count])
        }
    }

    /// Throws for what is there and no file. For those that open files in their own way.
    package static func checkIsFile(_ path: String) throws(SocketError) {
        try PlainFile.check(path)
    }

    /// Makes a file of these bytes, in the place of what it held.
    package static func write(
        _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644
    ) throws(SocketError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .system("cannot write \(path)") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw .system("cannot write \(path)") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// The first line of a short file; empty if there is no such file.
    ///
    /// - Throws: if that cannot be told, or the file cannot be read.
    package static func line(_ path: String) throws(SocketError) -> String {
        guard try isFile(path) else { return "" }
        let bytes = try read(path, bytesMax: 4_096)
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// - Throws: if that cannot be told; a file that nobody can look at may be there.
    package static func exists(_ path: String) throws(SocketError) -> Bool {
        try kind(path, followsLinks: false) != nil
    }

    /// Takes the place of what has the new name.
    package static func rename(_ path: String, to name: String) throws(SocketError) {
        guard Glibc.rename(path, name) == 0 else {
            throw .system("cannot rename \(path) to \(name)")
        }
    }

    /// A file gets another name, and keeps the one it has.
    package static func link(_ path: String, as name: String) throws(SocketError) {
        guard Glibc.link(path, name) == 0 else { throw .system("cannot link \(path) as \(name)") }
    }

    /// What was created, renamed or removed in it survives a loss of power.
    package static func syncFolder(_ path: String) throws(SocketError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system("cannot sync \(path)") }
    }

    package static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0
    }

    /// Makes the folders that the path needs and that are not there.
    package static func makeFolders(above path: String) throws(SocketError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        guard !isFolder(folder) else { return }
        try makeFolders(above: folder)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw .system("cannot make the folder \(folder)")
        }
    }

    package static func isFolder(_ path: String) -> Bool {
        (try? kind(path, followsLinks: true)) == S_IFDIR
    }

    /// - Throws: if that cannot be told.
    package static func isFile(_ path: String) throws(SocketError) -> Bool {
        try kind(path, followsLinks: true) == S_IFREG
    }

    /// What is there, as one of the system's `S_IF…`; nil if there is nothing.
    private static func kind(
        _ path: String, followsLinks: Bool
    ) throws(SocketError) -> mode_t? {
        var status = stat()
        let result = followsLinks ? stat(path, &status) : lstat(path, &status)
        if result == 0 { return status.st_mode & S_IFMT }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system("cannot look at \(path)") }
        return nil
    }

    /// Whether it is a file that we may run.
    package static func isProgram(_ path: String) -> Bool {
        (try? isFile(path)) == true && access(path, X_OK) == 0
    }

    /// What is in a folder, in order; nothing if nobody may look.
    package static func names(inFolder path: String) -> [String] {
        (try? names(inFolder: path, most: .max)) ?? []
    }

    /// The same of a folder that others fill.
    ///
    /// - Throws: if it has more names than `most`, or nobody may look.
    package static func names(inFolder path: String, most: Int) throws(SocketError) -> [String] {
        guard let folder = opendir(path) else { throw .system("cannot look into \(path)") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = Glibc.readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            guard names.count < most else {
                throw SocketError(
                    .unusable, "the folder \(path) has more than \(most) names: move some away")
            }
            names.append(name)
        }
        return names.sorted()
    }

    /// A new folder of our own under the temporary directory.
    package static func makeTemporaryFolder(
        prefix: String, environment: [String: String]
    ) throws(SocketError) -> String {
        let chosen = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
        let template = (chosen ?? "/tmp") + "/\(prefix)-XXXXXX"
        var bytes = template.utf8CString
        let path = bytes.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let start = buffer.baseAddress, let made = mkdtemp(start) else { return nil }
            return String(cString: made)
        }
        guard let path else { throw .system("cannot make a folder \(template)") }
        return path
    }

    package static func removeFolder(_ path: String) {
        rmdir(path)
    }

    package static func remove(_ path: String) {
        unlink(path)
    }
}

/// Our own process.
package enum HostProcess {
    package static var userID: UInt32 {
        getuid()
    }

    /// Where our own executable is; empty if nobody can tell.
    package static var program: String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// The path as it is from everywhere, whatever folder somebody works in.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    package static var terminationSignals: [Int32] {
        [SIGTERM, SIGINT, SIGHUP]
    }

    /// What ends us from outside waits until `body` is done, on this thread. A thread that starts in it
    /// is never asked.
    package static func holdingTermination<Result>(_ body: () -> Result) -> Result {
        var (held, former) = (sigset_t(), sigset_t())
        sigemptyset(&held)
        for number in terminationSignals { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        return body()
    }

    /// Raises the limit of descriptors as far as we may; the new limit.
    package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Makes room in the process's table of descriptors. The kernel doubles that table when it is full, and a
    /// process of several threads waits up to 20 ms (measured) each time until nobody uses the old one: call this
    /// while there is one thread.
    package static func reserveDescriptors(_ count: Int) {
        let last = min(count, raiseDescriptorLimit()) - 1
        let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(clamping: last))
        if copy >= 0 { close(copy) }
    }

    /// A reader of our output that goes away must not take us with it.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Gives back the memory of what only the start needed of the program: its text and constants are
    /// mapped again where they are used.
    package static func unmapProgram() {
        linux_unmap_program()
    }

    /// Large buffers are mapped one by one, and go back to the system as soon as nobody needs them any
    /// more: what a crowd has left behind does not stay.
    package static func giveBackLargeBuffers() {
        linux_give_back_large_buffers()
    }

    /// Lets time pass, for a client that will try again.
    package static func pause(milliseconds: Int) {
        poll(nil, 0, Int32(clamping: milliseconds))
    }

    package static func writeToStandardError(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
