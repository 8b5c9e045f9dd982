package import Synchronization

/// Where a run is, for whoever is called when the arbiter stops the process.
package struct LastWords: ~Copyable, Sendable {
    package let seed = Atomic<UInt64>(0)
    /// Steps of the script so far, counting the one that is under way.
    package let steps = Atomic<Int>(0)
    /// The transition of an exhaustive run that is under way, counted from 1.
    package let transition = Atomic<Int>(0)
}

package let lastWords = LastWords()
