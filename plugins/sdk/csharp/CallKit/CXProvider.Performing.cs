using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using CallBroker;
using Foundation;
using Newtonsoft.Json.Linq;

namespace CallKit
{
    public partial class CXProvider
    {
        /// <summary>An action of the broker that is not complete.</summary>
        private sealed class Open
        {
            internal string Id, Call;
            internal CXCallAction Action;
            internal CXTransaction Transaction;
        }

        private const int WithdrawnKept = 16;
        private readonly List<Open> open = new List<Open>();
        private readonly Queue<Open> withdrawn = new Queue<Open>();

        /// <summary>The transactions that the delegate received and that are not complete.</summary>
        public CXTransaction[] PendingTransactions
        {
            get {
                lock (gate) return open.Select(one => one.Transaction).Where(one => one != null).Distinct().ToArray();
            }
        }

        /// <summary>The actions on a call that are not complete; of this very class, or of all.</summary>
        public CXCallAction[] GetPendingCallActions(Type callActionClass, NSUuid callUuid)
        {
            lock (gate) {
                return open.Select(one => one.Action).Where(action => action.CallUuid.Equals(callUuid)
                    && (callActionClass == typeof(CXCallAction) || action.GetType() == callActionClass)).ToArray();
            }
        }

        private List<CXCallAction> TakeActions(string call = null)
        {
            lock (gate) {
                var taken = open.Where(one => call == null || one.Call == call).Select(one => one.Action).ToList();
                open.RemoveAll(one => taken.Contains(one.Action));
                return taken;
            }
        }

        private Open Take(string id)
        {
            lock (gate) {
                var found = open.FirstOrDefault(one => one.Id == id);
                open.Remove(found);
                return found;
            }
        }

        // -- Whole transactions

        /// <summary>Offers a transaction to the delegate. One that has a start of the user's, or is about a
        /// call that the app does not know yet, is performed action by action.</summary>
        private Task<bool> ExecuteAsync(JObject offer, CancellationToken cancellation)
        {
            var given = offer.List("actions").OfType<JObject>().ToList();
            var actions = given.Select(one => Made(one.Text("kind"), one.Text("call"), one.Member("arguments"))).ToList();
            if (given.Any(IsIntent) || actions.Contains(null)) return Task.FromResult(false);
            var transaction = new CXTransaction(actions.Cast<CXAction>().ToArray());
            for (var at = 0; at < actions.Count; at++) {
                AddOffered(given[at], actions[at], transaction, offer.Number("deadline_ms") ?? 0);
            }
            var taken = new TaskCompletionSource<bool>();
            cancellation.Register(() => taken.TrySetCanceled());
            Deliver(one => taken.TrySetResult(one.ExecuteTransaction(this, transaction)));
            return taken.Task;
        }

        private void AddOffered(JObject given, CXCallAction action, CXTransaction transaction, long deadlineMs)
        {
            var one = new Open {
                Id = given.Text("action"), Call = given.Text("call"), Action = action, Transaction = transaction };
            Known(one.Call, action);
            action.Begin(deadlineMs, outcome => {
                Take(one.Id);
                Apply(one.Call, action, outcome);
                Ignore(Link.ActionSettleAsync(one.Id, outcome == null ? "failed" : "fulfilled", outcome.Number("at_ms"),
                                              outcome == null ? "failed" : null));
            });
            lock (gate) open.Add(one);
        }

        // -- Single actions

        private static CXCallAction Made(string kind, string call, JObject arguments) =>
            Registry.Uuid(call) is NSUuid uuid ? CXCallAction.Of(kind ?? "", uuid, arguments ?? new JObject()) : null;

        /// <summary>Performs an action that the broker asks for; ends when the app has completed it.</summary>
        private Task PerformAsync(ProviderAction given)
        {
            if (given.Kind == "start" && StartsByIntent(given)) return DeliverIntentAsync(given);
            if (given.Kind == "end" && ForgetIntent(given.Call)) return Task.CompletedTask;
            var action = Take(given.Id)?.Action ?? Made(given.Kind, given.Call, given.Arguments);
            return PerformAsync(given, action ?? throw new FailedException("unknown_call"));
        }

        private Task PerformAsync(ProviderAction given, CXCallAction action)
        {
            var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            var one = new Open { Id = given.Id, Call = given.Call, Action = action };
            Known(given.Call, action);
            lock (gate) open.Add(one);
            action.Begin(given.DeadlineMs, outcome => {
                Take(one.Id);
                Apply(given.Call, action, outcome);
                given.HappenedAtMs = outcome.Number("at_ms");
                if (outcome == null) done.TrySetException(new FailedException("failed"));
                else done.TrySetResult(true);
            });
            given.Withdrawn.Register(() => {
                TakeWithdrawn(one.Id);
                action.Abandon();
                done.TrySetCanceled();
            });
            Deliver(receiver => {
                if (!action.Complete) action.PerformBy(receiver, this);
            });
            return done.Task;
        }

        /// <summary>A start makes the app have the call before it is done, so that reports are about
        /// it.</summary>
        private void Known(string call, CXCallAction action)
        {
            if (!(action is CXStartCallAction start)) return;
            Add(call, "outgoing", "dialing", Members.Of("remote", start.CallHandle.Json));
        }

        private void Apply(string call, CXCallAction action, JObject outcome)
        {
            var ends = action is CXEndCallAction
                ? outcome != null : outcome == null && (action is CXStartCallAction || action is CXAnswerCallAction);
            if (ends) {
                Forget(call);
                foreach (var other in TakeActions(call)) other.Abandon();
            } else if (outcome != null && action is CXAnswerCallAction) {
                Change(call, Members.Of("state", "active"));
            } else if (outcome != null && action is CXSetHeldCallAction hold) {
                Change(call, Members.Of("state", hold.OnHold ? "held" : "active"));
            }
        }

        /// <summary>Takes an action that is withdrawn, and keeps it: it may be so because it is late, which
        /// is said separately, and perhaps at the same time. Null if it is over.</summary>
        private Open TakeWithdrawn(string id)
        {
            lock (gate) {
                var one = Take(id);
                if (one == null) return null;
                withdrawn.Enqueue(one);
                if (withdrawn.Count > WithdrawnKept) withdrawn.Dequeue();
                return one;
            }
        }

        private void TimedOut(string id)
        {
            Open late;
            lock (gate) late = Take(id) ?? withdrawn.FirstOrDefault(one => one.Id == id);
            if (late == null) return;
            late.Action.Abandon();
            Deliver(one => one.TimedOutPerformingAction(this, late.Action));
        }

        /// <summary>An action of a transaction that was taken over is no longer wanted.</summary>
        private void Withdraw(string id) => TakeWithdrawn(id)?.Action.Abandon();
    }
}
