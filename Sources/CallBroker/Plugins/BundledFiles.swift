internal import BrokerSocket

/// The files that come with the program: installed beside it, or in the sources that it was built
/// from.
package enum BundledFiles {
    /// The folders that may have them, those of the installation first.
    package static var places: [String] {
        var folders = HostProcess.program.split(separator: "/").dropLast()
        var places: [String] = []
        if !folders.isEmpty {
            places = ["/" + folders.dropLast().joined(separator: "/") + "/share/callbroker/plugins"]
        }
        while !folders.isEmpty {
            places.append("/" + folders.joined(separator: "/") + "/plugins")
            folders.removeLast()
        }
        return places
    }

    /// The folder that has them; nil if there is none. A folder of sources is known by its
    /// templates.
    private static var root: String? {
        let places = places
        if let installed = places.first, HostFile.isFolder(installed) { return installed }
        return places.first { HostFile.isFolder("\($0)/templates") }
    }

    /// The folders of plugins.
    package static var pluginFolders: [String] {
        guard let root else { return [] }
        let names = ["adapters", "audio", "desktop", "gateways", "guards", "screens"]
        let groups = [root] + names.map { "\(root)/\($0)" }
        return groups.flatMap { group in
            HostFile.names(inFolder: group).map { "\(group)/\($0)" }
        }.filter { HostFile.isFolder($0) }
    }

    /// The folder of the Python SDK; nil if it is not beside the plugins.
    package static var pythonFolder: String? {
        guard let root else { return nil }
        return ["\(root)/python", "\(root)/sdk/python"].first {
            (try? HostFile.isFile("\($0)/callbroker.py")) == true
        }
    }

    /// Returns an environment in which programs in Python find the SDK, and no other libraries.
    package static func environment(_ variables: [String: String]) -> [String: String] {
        var variables = variables
        variables["PYTHONPATH"] = pythonFolder
        return variables
    }
}
