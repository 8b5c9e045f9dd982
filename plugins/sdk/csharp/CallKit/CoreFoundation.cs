using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;
using CallBroker;

namespace CoreFoundation
{
    /// <summary>A moment for a queue.</summary>
    public struct DispatchTime
    {
        private readonly TimeSpan ahead;

        /// <summary>A moment some nanoseconds after another.</summary>
        public DispatchTime(DispatchTime when, long deltaNanoseconds)
            : this(when, TimeSpan.FromTicks(deltaNanoseconds / 100))
        {
        }

        /// <summary>A moment some time after another.</summary>
        public DispatchTime(DispatchTime when, TimeSpan delta)
        {
            ahead = when.ahead + delta;
        }

        /// <summary>This moment.</summary>
        public static DispatchTime Now => default(DispatchTime);

        internal TimeSpan Ahead => ahead > TimeSpan.Zero ? ahead : TimeSpan.Zero;
    }

    /// <summary>Work that is done in order, one piece at a time.</summary>
    public sealed class DispatchQueue
    {
        private static readonly BlockingCollection<Action> OfMain = new BlockingCollection<Action>();
        private readonly Action<Action> post;

        /// <summary>Makes a queue with threads of its own.</summary>
        public DispatchQueue(string label) : this(label, new Turns().Post)
        {
        }

        private DispatchQueue(string label, Action<Action> post)
        {
            Label = label;
            this.post = post;
        }

        /// <summary>The queue of the thread that is in UIApplication.Main.</summary>
        public static DispatchQueue MainQueue { get; } = new DispatchQueue("main", PostToMain);

        /// <summary>The name.</summary>
        public string Label { get; }

        /// <summary>Does something when all before it is done.</summary>
        public void DispatchAsync(Action action) => post(() => {
            try {
                action();
            } catch (Exception error) {
                Console.Error.WriteLine(error); // the next piece of work is not to blame
            }
        });

        /// <summary>Does something at a moment.</summary>
        public void DispatchAfter(DispatchTime when, Action action) =>
            Task.Delay(when.Ahead).ContinueWith(_ => DispatchAsync(action));

        private static void PostToMain(Action work)
        {
            try {
                OfMain.Add(work);
            } catch (InvalidOperationException) {
                // The app leaves, and that may be while this is added.
            }
        }

        internal static void Main()
        {
            foreach (var work in OfMain.GetConsumingEnumerable()) work();
        }

        internal static void EndMain() => OfMain.CompleteAdding();
    }
}
