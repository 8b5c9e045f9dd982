import Testing

@testable import CallBrokerTool

/// Desktop files, by the Desktop Entry Specification.
struct DesktopEntryTests {
    private func entry(_ lines: String) -> DesktopEntry {
        DesktopEntry("[Desktop Entry]\nType=Application\nName=Phone\n" + lines, at: "/d/p.desktop")
    }

    private func arguments(_ exec: String, _ more: String = "") -> [String]? {
        entry("Exec=\(exec)\n\(more)").arguments
    }

    @Test func `words are separated by blanks, unless they are quoted`() {
        #expect(arguments("phone") == ["phone"])
        #expect(arguments("phone  --wait \ta") == ["phone", "--wait", "a"])
        #expect(
            arguments(#""/opt/my phone/phone" "" a"b c"d"#) == ["/opt/my phone/phone", "", "ab cd"])
        #expect(arguments(#"phone "a"#) == nil)
        #expect(arguments("") == nil)
    }

    @Test func `backslashes count twice: for the value, and in quotation marks`() {
        #expect(arguments(#"phone "a\\"b\\$c\\`d\\\\e""#) == ["phone", #"a"b$c`d\e"#])
        #expect(arguments(#"phone\sa "b\tc""#) == ["phone", "a", "b\tc"])
    }

    @Test func `nothing is for a shell`() {
        #expect(
            arguments("phone $HOME `id` ; rm * | cat > x & #y ~")
                == ["phone", "$HOME", "`id`", ";", "rm", "*", "|", "cat", ">", "x", "&", "#y", "~"])
    }

    @Test func `codes for files and addresses are removed`() {
        #expect(
            arguments("phone %f %F %u %U %d %D %n %N %v %m --url=%u a%%b")
                == ["phone", "--url=", "a%b"])
        #expect(
            arguments("phone %c %k %i", "Icon=bell\n")
                == ["phone", "Phone", "/d/p.desktop", "--icon", "bell"])
        #expect(arguments("phone %i") == ["phone"])
        #expect(arguments("%u phone") == ["phone"])
    }

    @Test func `a variable is no program`() {
        #expect(arguments("A=b phone") == nil)
        #expect(arguments(#""" phone"#) == nil)
    }

    @Test func `other groups, comments and translations do not count`() {
        let text = """
            # Exec=a
            Exec=before
            [Desktop Entry]
            Type = Application
            #Exec=comment
            Exec[de]=german
            Exec = phone
            Exec=second
            [Desktop Action x]
            Exec=action
            Hidden=true
            """
        let entry = DesktopEntry(text, at: "/d/p.desktop")
        #expect(entry.arguments == ["phone"])
        #expect(entry.isProgram && !entry.isHidden && !entry.isBusActivatable)
    }

    @Test func `what a start needs to know is read`() {
        let entry = entry("DBusActivatable=true\nHidden=true\nPath=/opt\nTryExec=phone\n")
        #expect(entry.isBusActivatable && entry.isHidden && entry.isProgram)
        #expect(entry.folder == "/opt" && entry.required == "phone")
        #expect(self.entry("Path=relative").folder == nil)
        #expect(!self.entry("Terminal=true").isProgram)
        #expect(!DesktopEntry("[Desktop Entry]\nType=Link\n", at: "").isProgram)
    }

    // MARK: - Folders

    private func path(_ id: String, _ environment: [String: String], _ files: String...) -> String?
    {
        DesktopEntry.path(of: id, environment, isFile: files.contains)
    }

    @Test func `the user's file comes before those of the host`() {
        let home = ["HOME": "/home/ada"]
        #expect(
            path(
                "p.desktop", home, "/usr/share/applications/p.desktop",
                "/home/ada/.local/share/applications/p.desktop")
                == "/home/ada/.local/share/applications/p.desktop")
        #expect(
            path(
                "p.desktop", home, "/usr/share/applications/p.desktop",
                "/usr/local/share/applications/p.desktop")
                == "/usr/local/share/applications/p.desktop")
        #expect(path("q.desktop", home, "/usr/share/applications/p.desktop") == nil)
    }

    @Test func `variables name other folders, with absolute paths`() {
        let places = ["HOME": "/h", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "relative:/a:/b"]
        #expect(path("p.desktop", places, "/b/applications/p.desktop") != nil)
        #expect(path("p.desktop", places, "/data/applications/p.desktop") != nil)
        #expect(path("p.desktop", places, "relative/applications/p.desktop") == nil)
        #expect(path("p.desktop", places, "/h/.local/share/applications/p.desktop") == nil)
        #expect(path("p.desktop", [:], "/usr/share/applications/p.desktop") != nil)
    }

    @Test func `dashes may be folders, and no way out of them`() {
        let host = ["XDG_DATA_DIRS": "/s"]
        #expect(path("kde-a-p.desktop", host, "/s/applications/kde/a-p.desktop") != nil)
        #expect(path("kde-a-p.desktop", host, "/s/applications/kde/a/p.desktop") != nil)
        #expect(path("a-..-..-p.desktop", host, "/s/applications/a/../../p.desktop") == nil)
        #expect(path("a--p.desktop", host, "/s/applications/a//p.desktop") == nil)
    }
}
