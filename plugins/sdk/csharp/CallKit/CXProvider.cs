using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using AVFoundation;
using CallBroker;
using CoreFoundation;
using Foundation;
using Newtonsoft.Json.Linq;

namespace CallKit
{
    /// <summary>The app's registration as an owner of calls: it reports what happens to them, and its
    /// delegate performs the actions on them. It is registered when the constructor returns, if a broker
    /// answers; otherwise it keeps trying. A lost connection is opened again with all calls.</summary>
    public partial class CXProvider : NSObject
    {
        private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

        private readonly object gate = new object(); // of all that changes
        private readonly Dictionary<string, JObject> calls = new Dictionary<string, JObject>(); // as the broker lists them
        private readonly List<Action> early = new List<Action>(); // before there is a delegate
        private CXProviderDelegate performer;
        private DispatchQueue queue;
        private CXProviderConfiguration configuration;
        private bool isRegistered, hasBegun, isOver;

        internal readonly Provider Link;
        internal string Identity { get; }

        /// <summary>Registers the app, and waits up to 5 s for the broker's answer.</summary>
        public CXProvider(CXProviderConfiguration configuration)
        {
            this.configuration = configuration;
            Identity = Registry.Add(this);
            Link = new Provider(Identity, CXCallUpdate.Short(configuration.LocalizedName ?? Registry.ProgramName),
                                configuration.Registration, Registry.Options, Registry.ProgramName);
            Link.Reconcile(Listed);
            Link.Dropped += (_, ids) => ids.ToList().ForEach(Drop);
            Link.OnExecute(ExecuteAsync);
            foreach (var kind in new[] { "start", "answer", "end", "set_held", "set_muted", "set_group", "play_dtmf" }) {
                Link.Perform(kind, PerformAsync);
            }
            Link.On(Received.ProviderTimedOut, given => TimedOut(given.Text("action")));
            Link.Withdrawn += (_, id) => Withdraw(id);
            Link.On(Received.ProviderReset, _ => Reset());
            Link.On(Received.AudioActivated, _ => Deliver(one =>
                one.DidActivateAudioSession(this, AVAudioSession.SharedInstance())));
            Link.On(Received.AudioDeactivated, _ => Deliver(one =>
                one.DidDeactivateAudioSession(this, AVAudioSession.SharedInstance())));
            Register();
        }

        private void Register()
        {
            var answered = new TaskCompletionSource<bool>();
            Link.Lost += (_, error) => {
                if (answered.Task.IsCompleted) return;
                Console.Error.WriteLine($"CallKit: no broker at {Registry.Socket ?? UnixEndPoint.DefaultPath()}: "
                                        + $"{error.Message}. Trying again; start one with: callbroker serve");
                answered.TrySetResult(false);
            };
            Link.Opened += (_, __) => {
                lock (gate) isRegistered = true;
                Begin();
                answered.TrySetResult(true);
            };
            Link.OpenAsync(true).ContinueWith(task => task.Exception);
            Link.Completion.ContinueWith(task => {
                Ended(task.Exception?.InnerException);
                answered.TrySetResult(false);
            });
            answered.Task.Wait(Patience);
        }

        /// <summary>The session is over for good.</summary>
        private void Ended(Exception error)
        {
            if (error != null) Console.Error.WriteLine($"CallKit: the broker refused this app: {error.Message}");
            Registry.Remove(this);
            if (!isOver) Reset();
        }

        /// <summary>Sets the delegate, and the queue on which it is called; null is the main queue.</summary>
        public void SetDelegate(CXProviderDelegate providerDelegate, DispatchQueue queue)
        {
            lock (gate) {
                performer = providerDelegate;
                this.queue = queue ?? DispatchQueue.MainQueue;
                foreach (var one in early) this.queue.DispatchAsync(one);
                early.Clear();
            }
            Begin();
        }

        private void Begin()
        {
            lock (gate) {
                if (!isRegistered || performer == null || hasBegun) return;
                hasBegun = true;
            }
            Deliver(one => one.DidBegin(this));
        }

        /// <summary>Calls the delegate on its queue, later if there is none yet.</summary>
        private void Deliver(Action<CXProviderDelegate> work)
        {
            lock (gate) {
                if (isOver) return;
                Action call = () => {
                    if (!isOver) work(performer);
                };
                if (performer == null) early.Add(call);
                else queue.DispatchAsync(call);
            }
        }

        /// <summary>The configuration; setting it sends it to the broker.</summary>
        public CXProviderConfiguration Configuration
        {
            get => configuration;
            set {
                configuration = value;
                Ignore(Link.UpdateAsync(value.Registration.And(
                    "display_name", CXCallUpdate.Short(value.LocalizedName ?? Registry.ProgramName))));
            }
        }

        /// <summary>Unregisters: the remaining calls end as failed, and the delegate is not called
        /// again.</summary>
        public void Invalidate()
        {
            lock (gate) {
                if (isOver) return;
                isOver = true;
            }
            Registry.Remove(this);
            foreach (var action in TakeActions()) action.Abandon();
            Ignore(Link.ProviderUnregisterAsync());
            Link.CloseAsync().Wait(Patience);
        }

        private static void Ignore(Task task) => task.ContinueWith(done => done.Exception);

        // -- Calls

        internal bool HasCall(NSUuid uuid)
        {
            lock (gate) return calls.ContainsKey(Registry.Id(uuid));
        }

        private IEnumerable<JObject> Listed()
        {
            lock (gate) return calls.Values.Select(call => (JObject)call.DeepClone()).ToList();
        }

        private void Add(string call, string direction, string state, JObject more)
        {
            var facts = new JObject { { "call", call }, { "direction", direction }, { "state", state } };
            lock (gate) {
                if (!calls.ContainsKey(call)) calls[call] = Merged(facts, more);
            }
        }

        private static JObject Merged(JObject facts, JObject more)
        {
            foreach (var one in more) facts[one.Key] = one.Value.DeepClone();
            return facts;
        }

        private void Change(string call, JObject more)
        {
            lock (gate) {
                if (calls.TryGetValue(call, out var facts)) Merged(facts, more);
            }
        }

        private bool Forget(string call)
        {
            lock (gate) return calls.Remove(call);
        }

        /// <summary>A call that the broker did not take is ended here; the outcome is ignored.</summary>
        private void Drop(string call)
        {
            Forget(call);
            var action = new CXEndCallAction(Registry.Uuid(call));
            action.Begin(5000, _ => { });
            Deliver(one => one.PerformEndCallAction(this, action));
        }

        private void Reset()
        {
            lock (gate) calls.Clear();
            foreach (var action in TakeActions()) action.Abandon();
            Deliver(one => one.DidReset(this));
        }

        // -- Reports

        /// <summary>Reports an incoming call. The broker decides whether it rings; an error means that it
        /// must not, and that the app drops the call.</summary>
        public void ReportNewIncomingCall(NSUuid uuid, CXCallUpdate update, Action<NSError> completion)
        {
            var call = Registry.Id(uuid);
            var members = Merged(Members.Of("remote", Handle.Generic("unknown")), update.Json);
            var isNew = !HasCall(uuid);
            Add(call, "incoming", "ringing", members);
            Link.RequestAsync("call.report_incoming", Merged(Members.Of("call", call), members)).ContinueWith(reply => {
                var error = reply.Exception?.InnerException;
                if (error != null && isNew) Forget(call);
                var where = queue ?? new DispatchQueue("callkit.report");
                where.DispatchAsync(() => completion?.Invoke(
                    error == null ? null : CXErrors.Of(CXErrors.IncomingCall, error)));
            });
        }

        /// <summary>Reports an incoming call; fails with an <see cref="NSErrorException"/>.</summary>
        public Task ReportNewIncomingCallAsync(NSUuid uuid, CXCallUpdate update) =>
            Completed(completion => ReportNewIncomingCall(uuid, update, completion));

        internal static Task Completed(Action<Action<NSError>> work)
        {
            var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            work(error => {
                if (error == null) done.SetResult(true);
                else done.SetException(new NSErrorException(error));
            });
            return done.Task;
        }

        /// <summary>Reports new values of a call's properties.</summary>
        public void ReportCall(NSUuid uuid, CXCallUpdate update) => Update(Registry.Id(uuid), update.Json);

        private void Update(string call, JObject members)
        {
            if (members.Count == 0) return;
            Change(call, members);
            Ignore(Link.RequestAsync("call.report_update", Merged(Members.Of("call", call), members)));
        }

        /// <summary>Reports that a call has ended, and not because anybody here wanted it.</summary>
        public void ReportCall(NSUuid uuid, NSDate dateEnded, CXCallEndedReason endedReason)
        {
            var call = Registry.Id(uuid);
            Forget(call);
            foreach (var action in TakeActions(call)) action.Abandon();
            Ignore(Link.CallReportEndedAsync(call, Word(endedReason), atMs: dateEnded?.UnixMs));
        }

        private static string Word(CXCallEndedReason reason)
        {
            switch (reason) {
            case CXCallEndedReason.RemoteEnded: return "remote_ended";
            case CXCallEndedReason.Unanswered: return "unanswered";
            case CXCallEndedReason.AnsweredElsewhere: return "answered_elsewhere";
            case CXCallEndedReason.DeclinedElsewhere: return "declined_elsewhere";
            default: return "failed";
            }
        }

        /// <summary>Reports that an outgoing call is being connected.</summary>
        public void ReportConnectingOutgoingCall(NSUuid uuid, NSDate dateStartedConnecting)
        {
            var call = Registry.Id(uuid);
            Change(call, Members.Of("state", "connecting"));
            Ignore(Link.CallReportConnectingAsync(call, dateStartedConnecting?.UnixMs));
        }

        /// <summary>Reports that an outgoing call is connected.</summary>
        public void ReportConnectedOutgoingCall(NSUuid uuid, NSDate dateConnected)
        {
            var call = Registry.Id(uuid);
            Change(call, Members.Of("state", "active"));
            Ignore(Link.CallReportConnectedAsync(call, dateConnected?.UnixMs));
        }
    }
}
