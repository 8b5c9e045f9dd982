#if canImport(Glibc)
    import Glibc
#endif

/// The user's browser.
enum Browser {
    /// Opens an address, without waiting. Returns false if there is no program for that.
    static func open(_ address: String) -> Bool {
        signal(SIGCHLD, SIG_IGN)
        var words = ["xdg-open", address].map { (word: String) in strdup(word) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        // The address is read from standard output, in which a browser has nothing to say.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        var pid: pid_t = 0
        return posix_spawnp(&pid, "xdg-open", &actions, nil, words, environ) == 0
    }
}
