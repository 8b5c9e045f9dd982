internal import CLinux
internal import Glibc

/// File operations of a daemon.
package enum HostFile {
    /// The default limit of a file's size, larger than any file of the broker.
    private static let fileBytesMax = 1 << 30

    /// Reads a whole file of at most `bytesMax` bytes.
    ///
    /// - Parameter followsLinks: Accepts a symbolic link at the path.
    package static func read(
        _ path: String, bytesMax: Int = fileBytesMax, followsLinks: Bool = true
    ) throws(SocketError) -> [UInt8] {
        let descriptor = try PlainFile.open(path, O_RDONLY | (followsLinks ? 0 : O_NOFOLLOW))
        defer { close(descriptor) }
        return try PlainFile.bytes(of: descriptor, path, bytesMax: bytesMax)
    }

    /// Reads a file named by the user, in pieces: it may not fit into memory, and it may be a pipe
    /// that another program fills, which is waited for. A path of nil is standard input.
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

    /// Throws if there is something at the path that is not a file. For code that opens files on
    /// its own.
    package static func checkIsFile(_ path: String) throws(SocketError) {
        try PlainFile.check(path)
    }

    /// Writes a file, replacing its contents.
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

    /// Reads the first line of a short file; empty if there is no such file.
    ///
    /// - Throws: if the file cannot be read, or it is unknown whether it exists.
    package static func line(_ path: String) throws(SocketError) -> String {
        guard try isFile(path) else { return "" }
        let bytes = try read(path, bytesMax: 4_096)
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Returns whether something is at the path.
    ///
    /// - Throws: if that is unknown, as something may be there that cannot be accessed.
    package static func exists(_ path: String) throws(SocketError) -> Bool {
        try kind(path, followsLinks: false) != nil
    }

    /// Renames a file, replacing what has the new name.
    package static func rename(_ path: String, to name: String) throws(SocketError) {
        guard Glibc.rename(path, name) == 0 else {
            throw .system("cannot rename \(path) to \(name)")
        }
    }

    /// Gives a file a second name (a hard link).
    package static func link(_ path: String, as name: String) throws(SocketError) {
        guard Glibc.link(path, name) == 0 else { throw .system("cannot link \(path) as \(name)") }
    }

    /// Syncs a folder, so that files created, renamed or removed in it survive a loss of power.
    package static func syncFolder(_ path: String) throws(SocketError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("cannot open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system("cannot sync \(path)") }
    }

    /// Returns the path without symbolic links; nil if nothing is there.
    package static func realPath(_ path: String) -> String? {
        guard let real = Glibc.realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the target of a symbolic link; nil for anything else.
    package static func linkTarget(_ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Returns the number of the file or folder in its file system; 0 if nothing is there.
    package static func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    /// Returns whether this process may execute what is at the path.
    package static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0
    }

    /// Creates the missing parent folders of a path.
    package static func makeFolders(above path: String) throws(SocketError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        guard !isFolder(folder) else { return }
        try makeFolders(above: folder)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
            throw .system("cannot create the folder \(folder)")
        }
    }

    /// Returns the length of a file in bytes.
    package static func size(_ path: String) throws(SocketError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system("cannot access \(path)") }
        return Int(status.st_size)
    }

    /// Returns whether a folder, or a link to one, is at the path.
    package static func isFolder(_ path: String) -> Bool {
        (try? kind(path, followsLinks: true)) == S_IFDIR
    }

    /// Returns whether a file, or a link to one, is at the path.
    ///
    /// - Throws: if that is unknown.
    package static func isFile(_ path: String) throws(SocketError) -> Bool {
        try kind(path, followsLinks: true) == S_IFREG
    }

    /// Returns the type of the entry at the path, as one of the system's `S_IF…`; nil without one.
    private static func kind(
        _ path: String, followsLinks: Bool
    ) throws(SocketError) -> mode_t? {
        var status = stat()
        let result = followsLinks ? stat(path, &status) : lstat(path, &status)
        if result == 0 { return status.st_mode & S_IFMT }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system("cannot access \(path)") }
        return nil
    }

    /// Returns whether a file that this process may execute is at the path.
    package static func isProgram(_ path: String) -> Bool {
        (try? isFile(path)) == true && access(path, X_OK) == 0
    }

    /// Returns the path of a program by its name; nil if there is none.
    ///
    /// - Parameter folders: The folders to search, as in `PATH`; nil for the usual ones.
    package static func program(_ name: String, in folders: String?) -> String? {
        (folders ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(name)" }.first(where: isProgram)
    }

    /// Returns the sorted names in a folder; none if it cannot be opened.
    package static func names(inFolder path: String) -> [String] {
        (try? names(inFolder: path, most: .max)) ?? []
    }

    /// Returns the sorted names in a folder that others fill.
    ///
    /// - Throws: if there are more names than `most`, or the folder cannot be opened.
    package static func names(inFolder path: String, most: Int) throws(SocketError) -> [String] {
        guard let folder = opendir(path) else { throw .system("cannot open the folder \(path)") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = Glibc.readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name == "." || name == ".." { continue }
            guard names.count < most else {
                throw SocketError(
                    .unusable, "the folder \(path) has more than \(most) entries: remove some")
            }
            names.append(name)
        }
        return names.sorted()
    }

    /// Creates a new folder in the temporary directory, accessible to this user only.
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
        guard let path else { throw .system("cannot create the folder \(template)") }
        return path
    }

    /// Removes a folder if it is empty.
    package static func removeFolder(_ path: String) {
        rmdir(path)
    }

    /// Removes a file, if there is one.
    package static func remove(_ path: String) {
        unlink(path)
    }
}

/// Properties of this process.
package enum HostProcess {
    /// Returns whether this process may open network sockets, which a service manager can forbid to
    /// it and to the programs that it starts.
    package static var mayOpenNetworkSockets: Bool {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if socket >= 0 { close(socket) }
        return socket >= 0
    }

    /// The memory of this process that is resident, in bytes; nil if the kernel does not report it.
    package static var residentBytes: Int? {
        let words = (try? HostFile.line("/proc/self/statm"))?.split(separator: " ") ?? []
        return words.dropFirst().first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }

    /// The id of this process.
    package static var processID: Int32 {
        getpid()
    }

    /// The real user id.
    package static var userID: UInt32 {
        getuid()
    }

    /// The path of this executable; empty if it is unknown.
    package static var program: String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Returns the absolute form of a path.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The signals that ask a program to end.
    package static var terminationSignals: [Int32] {
        [SIGTERM, SIGINT, SIGHUP]
    }

    /// Blocks the signals that end the program while `body` runs on this thread. A thread that
    /// `body` starts never receives them.
    package static func blockingTerminationSignals<Result>(_ body: () -> Result) -> Result {
        var (held, former) = (sigset_t(), sigset_t())
        sigemptyset(&held)
        for number in terminationSignals { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        return body()
    }

    /// Raises the limit of descriptors as far as allowed, and returns the new limit.
    package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    /// Reserves room in the process's table of descriptors. The kernel doubles that table when it
    /// is full, and a process with several threads waits up to 20 ms (measured) each time until no
    /// thread uses the old one: call this while there is one thread.
    package static func reserveDescriptors(_ count: Int) {
        let last = min(count, raiseDescriptorLimit()) - 1
        let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(clamping: last))
        if copy >= 0 { close(copy) }
    }

    /// Ignores SIGPIPE, so that a closed reader does not end this process.
    package static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Unmaps the program's text and constants, to free the memory that only startup needed; they
    /// are mapped again where they are used.
    package static func unmapProgram() {
        linux_unmap_program()
    }

    /// Gives memory that is free back to the system, and makes the C library map each large buffer
    /// on its own from now on, so that its memory returns when it is freed: a peak of clients leaves
    /// nothing behind. Reading a journal is quicker before.
    package static func giveBackLargeBuffers() {
        linux_give_back_large_buffers()
    }

    /// Sleeps, for a client that will retry.
    package static func pause(milliseconds: Int) {
        poll(nil, 0, Int32(clamping: milliseconds))
    }

    package static func writeToStandardError(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
