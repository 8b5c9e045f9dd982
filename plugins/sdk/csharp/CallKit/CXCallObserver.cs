using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using CallBroker;
using CoreFoundation;
using Foundation;
using Newtonsoft.Json.Linq;

namespace CallKit
{
    /// <summary>A call of any app, without its other side, as it was at one moment.</summary>
    public class CXCall : NSObject
    {
        private static readonly string[] Connected = { "active", "held" };

        internal CXCall(JObject call)
        {
            Uuid = Registry.Uuid(call.Text("call"));
            var state = call.Text("state");
            Outgoing = call.Text("direction") == "outgoing";
            OnHold = state == "held";
            HasEnded = state == "ended";
            HasConnected = Connected.Contains(state) || call.Number("connected_at_ms") != null;
        }

        /// <summary>The id.</summary>
        public NSUuid Uuid { get; }
        /// <summary>Whether it was started here.</summary>
        public bool Outgoing { get; }
        /// <summary>Whether it is on hold.</summary>
        public bool OnHold { get; }
        /// <summary>Whether it is, or was, connected.</summary>
        public bool HasConnected { get; }
        /// <summary>Whether it is over.</summary>
        public bool HasEnded { get; }

        internal bool IsAs(CXCall other) => other != null && OnHold == other.OnHold
            && HasConnected == other.HasConnected && HasEnded == other.HasEnded;
    }

    /// <summary>Is called with each change of a call.</summary>
    public abstract class CXCallObserverDelegate : NSObject
    {
        /// <summary>A call is new, or has changed; the last change is that it is over.</summary>
        public abstract void CallChanged(CXCallObserver callObserver, CXCall call);
    }

    /// <summary>Watches the calls of the host.</summary>
    public class CXCallObserver : NSObject
    {
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);
        private static readonly object Gate = new object();
        private static readonly List<CXCallObserver> All = new List<CXCallObserver>();
        private static readonly Dictionary<string, CXCall> Known = new Dictionary<string, CXCall>();
        private static Observer link;

        private CXCallObserverDelegate receiver;
        private DispatchQueue queue;

        /// <summary>The calls that are not over.</summary>
        public CXCall[] Calls
        {
            get {
                Watch();
                lock (Gate) return Known.Values.ToArray();
            }
        }

        /// <summary>Sets the delegate, and the queue on which it is called; null is the main queue.</summary>
        public void SetDelegate(CXCallObserverDelegate callObserverDelegate, DispatchQueue queue)
        {
            lock (Gate) {
                receiver = callObserverDelegate;
                this.queue = queue ?? DispatchQueue.MainQueue;
                All.Remove(this);
                if (receiver != null) All.Add(this);
            }
            Watch();
        }

        /// <summary>Reads the calls, one connection for all observers; waits for the first time.</summary>
        private static void Watch()
        {
            Observer made;
            lock (Gate) {
                if (link != null) return;
                made = link = new Observer(Registry.ProgramName, Registry.Options, new[] { "call.*" });
            }
            var read = new TaskCompletionSource<bool>();
            made.EventReceived += (_, happened) => {
                Changed(made, happened);
                read.TrySetResult(true);
            };
            made.Lost += (_, __) => read.TrySetResult(false);
            made.OpenAsync(true).ContinueWith(task => task.Exception);
            made.Completion.ContinueWith(_ => read.TrySetResult(false));
            read.Task.Wait(Patience);
        }

        private static void Changed(Observer observer, CallEvent happened)
        {
            if (happened.Topic == "call.added" || happened.Topic == "call.changed") {
                Changed(happened.Data);
            } else if (happened.Topic == "snapshot") {
                var calls = observer.Calls;
                foreach (var call in calls.Values) Changed(call);
                List<string> gone;
                lock (Gate) gone = Known.Keys.Where(id => !calls.ContainsKey(id)).ToList();
                foreach (var id in gone) Changed(new JObject { { "call", id }, { "state", "ended" } });
            }
        }

        private static void Changed(JObject given)
        {
            var call = new CXCall(given);
            var id = given.Text("call");
            if (call.Uuid == null || given.Text("state") == "ending") return;
            lock (Gate) {
                if (!Known.TryGetValue(id, out var former) && Registry.IsUnknownToApp(call.Uuid, given.Text("provider"))) return;
                if (call.IsAs(former) || former == null && call.HasEnded) return;
                if (call.HasEnded) Known.Remove(id);
                else Known[id] = call;
                foreach (var one in All) {
                    var (to, where) = (one.receiver, one.queue);
                    where.DispatchAsync(() => to.CallChanged(one, call));
                }
            }
        }
    }
}
