using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>Something that happened.</summary>
    public sealed class CallEvent : EventArgs
    {
        internal CallEvent(JObject members)
        {
            Members = members;
        }

        /// <summary>All members of the wire: seq, prev, at_ms, ...</summary>
        public JObject Members { get; }
        /// <summary>What it is about, such as call.changed; snapshot (not on the wire) when all was read
        /// anew.</summary>
        public string Topic => Members.Text("topic");
        /// <summary>The id of the call.</summary>
        public string Call => Members.Text("call");
        /// <summary>The provider.</summary>
        public string Provider => Members.Text("provider");
        /// <summary>The data; for call.added and call.changed the call.</summary>
        public JObject Data => Members.Member("data") ?? new JObject();
    }

    /// <summary>Watches calls: <see cref="Calls"/> is always their state. A snapshot comes first; after a lost
    /// connection the broker replays what was missed, and where it cannot all is read anew.</summary>
    public class Observer : Client
    {
        private const int EventsKept = 10000; // for a consumer who is slower than the calls

        /// <summary>They repeat the number of the latest event.</summary>
        private static readonly HashSet<string> Unnumbered = new HashSet<string> {
            "plugin.log", "call.allowed_changed", "call.quality", "host.presence" };

        private readonly IReadOnlyList<string> topics;
        private readonly bool? includeEnded;
        private readonly object gate = new object(); // of what other threads see
        private readonly Dictionary<string, JObject> calls = new Dictionary<string, JObject>();
        private readonly Queue<CallEvent> queued = new Queue<CallEvent>();
        private readonly Queue<TaskCompletionSource<CallEvent>> waiting =
            new Queue<TaskCompletionSource<CallEvent>>();
        private JObject cursor;
        private bool isOver;
        private bool knowsCalls; // which changes need
        private JToken subscription;
        private long seen; // the newest event that was delivered
        private long floor; // the snapshot has everything up to here
        private List<JObject> early = new List<JObject>(); // before the reply that names their subscription

        /// <summary>Creates an observer.</summary>
        /// <param name="name">of the program</param>
        /// <param name="options">as of any client</param>
        /// <param name="topics">exact names, noun.* or *, which is all; without call.* among them the calls
        /// are not kept</param>
        /// <param name="includeEnded">whether the snapshot has calls that are over</param>
        /// <param name="cursor">epoch and seq from where to go on; then there are only calls that
        /// change</param>
        public Observer(string name, ClientOptions options = null, IReadOnlyList<string> topics = null,
                        bool? includeEnded = null, JObject cursor = null) : base(name, options)
        {
            this.topics = topics ?? new[] { "*" };
            this.includeEnded = includeEnded;
            this.cursor = cursor;
        }

        /// <summary>The calls by their ids, as they are now: a copy. Its objects are not to be
        /// changed.</summary>
        public IReadOnlyDictionary<string, JObject> Calls
        {
            get {
                lock (gate) return new Dictionary<string, JObject>(calls);
            }
        }

        /// <summary>The place in the events: epoch and seq.</summary>
        public JObject Cursor
        {
            get {
                lock (gate) return (JObject)cursor?.DeepClone();
            }
        }

        /// <summary>Raised with each event.</summary>
        public event EventHandler<CallEvent> EventReceived;

        /// <summary>Returns the next event; null when the client is over.</summary>
        public async Task<CallEvent> NextAsync(CancellationToken cancellation = default(CancellationToken))
        {
            var next = Source<CallEvent>();
            lock (gate) {
                if (queued.Count > 0) return queued.Dequeue();
                if (isOver) return null;
                waiting.Enqueue(next);
            }
            using (cancellation.Register(() => next.TrySetCanceled())) return await next.Task;
        }

        internal override void OnEnded()
        {
            lock (gate) {
                isOver = true;
                while (waiting.Count > 0) waiting.Dequeue().TrySetResult(null);
            }
        }

        internal override async Task OnOpenedAsync()
        {
            await base.OnOpenedAsync();
            await WatchAsync();
        }

        private Task WatchAsync()
        {
            subscription = null;
            early = new List<JObject>();
            return OpeningAsync("events.subscribe", Members.Of("topics", topics).And("cursor", cursor)
                .And("include_ended", includeEnded).And("detail", WantsChanges ? "changes" : null), Watched);
        }

        /// <summary>Whether the broker is to send what changes of calls, which are all known then.</summary>
        private bool WantsChanges => Hello.Member("features").Member("call_changes") != null
            && (cursor == null || knowsCalls)
            && topics.Any(topic => topic == "*" || topic == "call.*" || topic == "call.added");

        private void Watched(JObject result)
        {
            subscription = result["subscription"];
            var snapshot = result.Member("snapshot");
            var seq = result.Number("seq") ?? 0;
            seen = snapshot != null ? seq : cursor.Number("seq") ?? seq;
            floor = snapshot != null ? seq : 0;
            if (snapshot != null) {
                knowsCalls = true;
                lock (gate) calls.Clear();
                Advance(result["epoch"], seq);
                Page(snapshot);
            }
            var former = early;
            early = new List<JObject>();
            foreach (var one in former) Happened(one);
        }

        private void Advance(JToken epoch, long seq)
        {
            lock (gate) cursor = new JObject { { "epoch", epoch }, { "seq", seq } };
        }

        /// <summary>Applied before the next frame is looked at, so that pages and events cannot
        /// cross.</summary>
        private void Page(JObject page)
        {
            foreach (var call in page.List("calls").OfType<JObject>()) Retain(call);
            if (page.Text("next") is string next) {
                ReconnectUnlessDone(OpeningAsync("call.list", Members.Of("after", next), Page));
            } else {
                Deliver(SnapshotRead());
            }
        }

        private CallEvent SnapshotRead() =>
            new CallEvent(new JObject { { "topic", "snapshot" }, { "data", new JObject() } }
                              .With(cursor ?? new JObject()));

        private async void ReconnectUnlessDone(Task work)
        {
            try {
                await work;
            } catch (Exception) {
                Reconnect();
            }
        }

        private void Retain(JObject call)
        {
            var id = call.Text("call");
            if (id == null) return;
            lock (gate) {
                calls.TryGetValue(id, out var known);
                if ((call.Number("rev") ?? 0) >= (known.Number("rev") ?? 0)) calls[id] = call;
            }
        }

        private void Allow(JObject given)
        {
            lock (gate) {
                if (!calls.TryGetValue(given.Text("call") ?? "", out var known)) return;
                var changed = (JObject)known.DeepClone();
                changed.Remove("merge_with");
                changed.Remove("paused_tones");
                calls[known.Text("call")] = changed.With(given);
            }
        }

        internal override void Notified(string method, JObject members)
        {
            if (method == "event" && members.Text("topic") != null) Happened(members);
            else if (method == "events.gap" && IsOurs(members)) Again();
            base.Notified(method, members);
        }

        private bool IsOurs(JObject members) => JToken.DeepEquals(members["subscription"], subscription);

        /// <summary>Something was missed: the next snapshot repairs it.</summary>
        private void Again()
        {
            if (subscription == null) return;
            var ended = OpeningAsync("events.unsubscribe", Members.Of("subscription", subscription));
            ended.ContinueWith(task => task.Exception, TaskContinuationOptions.OnlyOnFaulted);
            lock (gate) cursor = null;
            ReconnectUnlessDone(WatchAsync());
        }

        private void Happened(JObject given)
        {
            if (subscription == null) {
                early.Add(given);
                return;
            }
            if (!IsOurs(given)) return;
            if (cursor != null && !JToken.DeepEquals(given["epoch"], cursor["epoch"])
                || given.Number("prev") > seen) {
                Again();
                return;
            }
            var topic = given.Text("topic");
            var seq = given.Number("seq") ?? 0;
            seen = Math.Max(seen, seq);
            if (seq <= floor && !Unnumbered.Contains(topic)) return;
            Advance(given["epoch"], seen);
            if (topic == "broker.bookmark") return;
            if (topic == "call.changed" && given.Member("data").Member("set") != null) {
                JObject known;
                lock (gate) calls.TryGetValue(given.Text("call") ?? "", out known);
                if (known == null) {
                    Again();
                    return;
                }
                given["data"] = Whole(known, given.Member("data"));
            }
            var happened = new CallEvent(given);
            Apply(happened);
            Deliver(happened);
        }

        /// <summary>Returns the data of an event with the whole call, of which data has what has
        /// changed.</summary>
        private static JObject Whole(JObject known, JObject data)
        {
            var call = ((JObject)known.DeepClone()).With(data.Member("set"));
            foreach (var name in data.List("removed").Values<string>()) call.Remove(name);
            return call.And("changed", data["changed"]).And("cause", data["cause"]);
        }

        private void Apply(CallEvent happened)
        {
            switch (happened.Topic) {
            case "call.added":
            case "call.changed":
                Retain(happened.Data);
                break;
            case "call.removed":
                lock (gate) calls.Remove(happened.Call ?? happened.Data.Text("call") ?? "");
                break;
            case "call.allowed_changed":
                Allow(happened.Data);
                break;
            }
        }

        private void Deliver(CallEvent happened)
        {
            if (EventReceived is EventHandler<CallEvent> received) Raise(() => received(this, happened));
            lock (gate) {
                while (waiting.Count > 0) {
                    if (waiting.Dequeue().TrySetResult(happened)) return; // else it was cancelled
                }
                if (queued.Count >= EventsKept) {
                    queued.Clear();
                    happened = SnapshotRead();
                }
                queued.Enqueue(happened);
            }
        }
    }
}
