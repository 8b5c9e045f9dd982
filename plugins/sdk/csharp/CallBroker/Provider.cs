using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>An app that owns calls. It reports what happens to them, and performs actions: a handler that
    /// returns has fulfilled its action, one that throws <see cref="FailedException"/> has failed it. A kind
    /// without a handler is refused as not supported.</summary>
    public class Provider : Client
    {
        private const int ReconciledAtOnce = 32; // calls in one provider.register
        private const int ActionsRemembered = 256; // completed ones, to answer a repetition alike

        private readonly Dictionary<string, Func<ProviderAction, Task>> kinds =
            new Dictionary<string, Func<ProviderAction, Task>>();
        private readonly Dictionary<string, ProviderAction> actions = new Dictionary<string, ProviderAction>();
        private readonly Queue<string> order = new Queue<string>(); // of the actions
        private readonly HashSet<string> executing = new HashSet<string>(); // offers of transactions
        private readonly JObject registration;
        private Func<Task<IEnumerable<JObject>>> reconcile;

        /// <summary>Creates a provider.</summary>
        /// <param name="identity">a stable name such as org.example.phone</param>
        /// <param name="displayName">for people</param>
        /// <param name="registration">handle_types, and what else differs from the usual</param>
        /// <param name="options">as of any client</param>
        /// <param name="name">of the program, if it is not the identity</param>
        public Provider(string identity, string displayName, object registration = null,
                        ClientOptions options = null, string name = null)
            : base(name ?? identity, options ?? new ClientOptions())
        {
            Options.Identity = identity;
            this.registration = Members.Of("display_name", displayName).With(Members.From(registration));
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } = new[] { "provider", "controller" };

        /// <summary>The reply to the latest registration: authorization, limits, calls, dropped.</summary>
        public JObject Registered { get; private set; } = new JObject();

        /// <summary>Raised with the ids of calls that the broker did not take: tear them down.</summary>
        public event EventHandler<IReadOnlyList<string>> Dropped;
        /// <summary>Raised with the id of an action of a transaction that was taken over, and that is no
        /// longer wanted.</summary>
        public event EventHandler<string> Withdrawn;
        /// <summary>Raised with an action whose time is over.</summary>
        public event EventHandler<ProviderAction> TimedOut;

        /// <summary>Performs actions of a kind: start answer end set_held set_muted set_group play_dtmf
        /// set_endpoint set_video set_text transfer attended_transfer deflect.</summary>
        public void Perform(string kind, Func<ProviderAction, Task> handler) => Post(() => kinds[kind] = handler);

        /// <summary>Performs actions of a kind, at once.</summary>
        public void Perform(string kind, Action<ProviderAction> handler) => Perform(kind, action => {
            handler(action);
            return Task.CompletedTask;
        });

        /// <summary>Is offered whole transactions: transaction, actions, deadline_ms. Returns true to take
        /// one over, and then settles each action with action.settle.</summary>
        public void OnExecute(Func<JObject, CancellationToken, Task<bool>> execute)
        {
            Post(() => registration["takes_transactions"] = true);
            Handle(Received.ProviderExecute, async (offer, cancellation) =>
                Members.Of("taken", await execute(offer, cancellation)));
        }

        /// <summary>Changes what the network keeps for a line: line, setting, on, to, after_ms. Done when
        /// the network has changed it and <see cref="UpdateAsync"/> has reported it.</summary>
        public void OnChangeSetting(Func<JObject, CancellationToken, Task> change) =>
            HandleWithoutResult(Received.LineChangeSetting, change);

        /// <summary>Sends characters that the user has typed: call, text. Done when they are on their
        /// way.</summary>
        public void OnSendText(Func<JObject, CancellationToken, Task> send) =>
            HandleWithoutResult(Received.ProviderSendText, send);

        /// <summary>Mutes a participant, or raises a hand: call, participant, and muted or hand_raised. Done
        /// when call.report_participants has reported it.</summary>
        public void OnChangeParticipant(Func<JObject, CancellationToken, Task> change) =>
            HandleWithoutResult(Received.ParticipantChange, change);

        /// <summary>Handles a push of the app's server: push, payload, and type, one of the push_types of
        /// the registration. Done when it is handled: a push of the type voip when call.report_incoming has
        /// reported the call.</summary>
        public void OnPush(Func<JObject, CancellationToken, Task> receive) =>
            HandleWithoutResult(Received.PushReceived, receive);

        /// <summary>Called with a type of push and the address at which the app's server can push to the app,
        /// after each registration and at each change; null: the former one is no longer valid.</summary>
        public void OnPushToken(Action<string, string> use) =>
            On(Received.PushToken, given => use(given.Text("type"), given.Text("token")));

        /// <summary>Called when no call was reported after a push of the type voip: push, in_a_row, and
        /// stopped, which means that no more are delivered until push.reset.</summary>
        public void OnPushUnreported(Action<JObject> tell) => On(Received.PushUnreported, tell);

        private void HandleWithoutResult(string method, Func<JObject, CancellationToken, Task> handler) =>
            Handle(method, async (given, cancellation) => {
                await handler(given, cancellation);
                return null;
            });

        /// <summary>Lists the calls that live (call, direction, state, remote, ...) in each new session. One
        /// that the broker knows and the list does not have ends.</summary>
        public void Reconcile(Func<IEnumerable<JObject>> list) =>
            Post(() => reconcile = () => Task.FromResult(list()));

        /// <summary>Changes members of the registration, now and for sessions to come.</summary>
        public Task<JObject> UpdateAsync(
            object members, CancellationToken cancellation = default(CancellationToken))
        {
            var given = Members.From(members);
            Post(() => registration.With(given));
            return RequestAsync("provider.update", given.DeepClone(), cancellation);
        }

        /// <summary>Whether a call (remote, ...) would ring now: succeeds and fails as call.report_incoming,
        /// with the rule that decides. Nothing is recorded, shown or started.</summary>
        public Task<JObject> MayRingAsync(
            object members, CancellationToken cancellation = default(CancellationToken)) =>
            RequestAsync("call.report_incoming", new JObject().With(Members.From(members))
                .And("call", CallBroker.Handle.NewId()).And("dry_run", true), cancellation);

        // -- Sessions and actions

        internal override async Task OnOpenedAsync()
        {
            await base.OnOpenedAsync();
            var calls = reconcile == null ? null : await ListAsync();
            var dropped = new List<string>();
            for (var at = 0; at == 0 || at < calls?.Count; at += ReconciledAtOnce) {
                var page = calls?.Skip(at).Take(ReconciledAtOnce);
                var more = calls != null && at + ReconciledAtOnce < calls.Count;
                Registered = await OpeningAsync("provider.register", new JObject().With(registration)
                    .And("calls", page).And("more", more ? true : (bool?)null));
                dropped.AddRange(Registered.List("dropped").OfType<JValue>()
                    .Select(id => id.Value).OfType<string>());
            }
            if (dropped.Count > 0) Raise(() => Dropped?.Invoke(this, dropped));
        }

        private async Task<List<JObject>> ListAsync()
        {
            var list = new List<JObject>();
            await InvokeAsync(async () => {
                list.AddRange((await reconcile()).Select(call => (JObject)call.DeepClone()));
                return null;
            });
            return list;
        }

        internal override void Requested(JToken id, string method, JObject members)
        {
            if (method == Received.ProviderExecute) executing.Add(Key(id));
            if (method != Received.ProviderPerform) {
                base.Requested(id, method, members);
            } else if (members.Text("action") is string name) {
                if (!actions.TryGetValue(name, out var action)) action = Begun(members);
                action.Attempt = members.Number("attempt") ?? 1;
                action.AgeMs = members.Number("age_ms") ?? 0;
                action.Request = id;
                Settle(action);
            } else {
                Answer(id, FailedException.Of("missing_member", "params.action is required", -32602));
            }
        }

        private ProviderAction Begun(JObject members)
        {
            var action = new ProviderAction(this, members);
            actions[action.Id] = action;
            order.Enqueue(action.Id);
            Forget();
            Fulfill(action);
            return action;
        }

        private async void Fulfill(ProviderAction action)
        {
            action.Outcome = await MadeOf(action);
            Settle(action);
        }

        private Task<JObject> MadeOf(ProviderAction action)
        {
            return kinds.TryGetValue(action.Kind, out Func<ProviderAction, Task> handler)
                ? OutcomeAsync(() => PerformAsync(handler, action), action.Withdrawn)
                : Task.FromResult(FailedException.Unsupported(action.Kind));
        }

        private static async Task<JObject> PerformAsync(
            Func<ProviderAction, Task> handler, ProviderAction action)
        {
            await handler(action);
            return new JObject().And("at_ms", action.HappenedAtMs);
        }

        private void Settle(ProviderAction action)
        {
            if (action.Outcome == null || action.Request == null) return;
            var request = action.Request;
            action.Request = null;
            Answer(request, action.Outcome);
        }

        private void Forget()
        {
            for (var count = order.Count; count > 0 && actions.Count > ActionsRemembered; count--) {
                var id = order.Dequeue();
                if (actions[id].Outcome != null) actions.Remove(id);
                else order.Enqueue(id);
            }
        }

        internal void ReportProgress(ProviderAction action, JObject members) => Post(() => {
            if (action.Request == null) return;
            SendNotification("broker.progress", Members.Of("request", action.Request).With(members));
        });

        /// <summary>Nothing is settled before the broker knows that it was taken over.</summary>
        internal override bool MustWait(string method) =>
            base.MustWait(method) || method == "action.settle" && executing.Count > 0;

        internal override void Answer(JToken id, JObject outcome)
        {
            base.Answer(id, outcome);
            if (executing.Remove(Key(id)) && IsConnected) CatchUp();
        }

        internal override void Notified(string method, JObject members)
        {
            if (method == Received.ProviderTimedOut
                && actions.TryGetValue(members.Text("action") ?? "", out var action)) {
                action.HasTimedOut = true;
                Withdraw(action);
                Raise(() => TimedOut?.Invoke(this, action));
            }
            base.Notified(method, members);
        }

        internal override void Cancelled(JObject members)
        {
            if (members.Text("action") is string id) {
                // One of a transaction that was offered or taken over, so that it is perhaps none of ours.
                if (actions.TryGetValue(id, out var known)) Withdraw(known);
                else Raise(() => Withdrawn?.Invoke(this, id));
                return;
            }
            var one = actions.Values.FirstOrDefault(action =>
                action.Request != null && JToken.DeepEquals(action.Request, members["request"]));
            if (one != null) Withdraw(one);
            else base.Cancelled(members);
        }

        private void Withdraw(ProviderAction action)
        {
            if (action.Outcome == null) Cancel(action.Source);
        }

        internal override void Disconnect()
        {
            foreach (var action in actions.Values) action.Request = null; // it comes again
            executing.Clear();
            base.Disconnect();
        }
    }
}
