using System;
using System.Linq;
using System.Threading;
using AVFoundation;
using CallBroker;
using CallKit;
using CoreFoundation;
using Foundation;
using Intents;
using UIKit;

namespace Tests
{
    /// <summary>An app's delegate that writes down what it is called with, and fulfills all it is
    /// asked.</summary>
    internal sealed class Recorder : CXProviderDelegate
    {
        internal readonly Arrivals<string> Log = new Arrivals<string>();
        internal readonly Arrivals<CXCallAction> Actions = new Arrivals<CXCallAction>();
        internal Func<CXTransaction, bool> Takes = _ => false;
        internal bool IsPatient;

        public override void DidBegin(CXProvider provider) => Log.Add("begin");
        public override void DidReset(CXProvider provider) => Log.Add("reset");
        public override bool ExecuteTransaction(CXProvider provider, CXTransaction transaction) => Takes(transaction);
        public override void PerformStartCallAction(CXProvider provider, CXStartCallAction action) =>
            Done(action, "start " + action.CallHandle.Value);
        public override void PerformAnswerCallAction(CXProvider provider, CXAnswerCallAction action) => Done(action, "answer");
        public override void PerformEndCallAction(CXProvider provider, CXEndCallAction action) => Done(action, "end");
        public override void PerformSetHeldCallAction(CXProvider provider, CXSetHeldCallAction action) =>
            Done(action, action.OnHold ? "hold" : "resume");
        public override void PerformPlayDtmfCallAction(CXProvider provider, CXPlayDtmfCallAction action) =>
            Done(action, $"{action.Digits} {action.Type}");
        public override void TimedOutPerformingAction(CXProvider provider, CXAction action) =>
            Log.Add($"late {action.GetType().Name} {action.Complete}");
        public override void DidActivateAudioSession(CXProvider provider, AVAudioSession session) => Log.Add("on");
        public override void DidDeactivateAudioSession(CXProvider provider, AVAudioSession session) => Log.Add("off");

        private void Done(CXCallAction action, string name)
        {
            Log.Add(name);
            Actions.Add(action);
            if (!IsPatient) action.Fulfill();
        }
    }

    /// <summary>The façade with the broker itself.</summary>
    public abstract class WithCallKit : Staged
    {
        internal const string Completed = "completed";
        internal readonly Recorder App = new Recorder();
        internal readonly CXProvider Phone;
        internal readonly CXCallController Controller = new CXCallController();

        protected WithCallKit()
        {
            Registry.Socket = Broker.Path;
            Phone = new CXProvider(new CXProviderConfiguration("Phone") {
                SupportedHandleTypes = new NSSet<NSNumber>((int)CXHandleType.PhoneNumber) });
            Phone.SetDelegate(App, new DispatchQueue("test"));
            Check.Equal("begin", App.Log.Next());
        }

        internal string Id(NSUuid uuid) => uuid.AsString().ToLowerInvariant();

        internal NSUuid Ringing(string number = "+15550100")
        {
            var uuid = new NSUuid();
            Phone.ReportNewIncomingCallAsync(uuid, new CXCallUpdate {
                RemoteHandle = new CXHandle(CXHandleType.PhoneNumber, number) }).Within();
            return uuid;
        }

        internal NSError Refusal(params CXAction[] actions) =>
            Controller.RequestTransactionAsync(new CXTransaction(actions)).Error<NSErrorException>().Error;

        /// <summary>As of the user's doing, from the first to the last.</summary>
        public new void Dispose()
        {
            Phone.Invalidate();
            base.Dispose();
        }
    }

    /// <summary>Actions, reports and errors with Xamarin's names.</summary>
    public sealed class CallKitTests : WithCallKit, IDisposable
    {
        public void AnIncomingCallIsAnsweredHeldAndEnded()
        {
            var call = Ringing();
            Done(User.CallAnswerAsync(Id(call), wait: Completed));
            Done(User.CallSetHeldAsync(Id(call), true, wait: Completed));
            Done(User.CallSetHeldAsync(Id(call), false, wait: Completed));
            Done(User.CallPlayDtmfAsync(Id(call), "12", wait: Completed));
            Done(User.CallEndAsync(Id(call), wait: Completed));
            Check.Equal("answer on hold off resume on 12 SingleTone end off", string.Join(" ", App.Log.Next(9)));
        }

        public void AMethodThatIsMissingFailsItsAction()
        {
            var call = Ringing();
            Done(User.CallAnswerAsync(Id(call), wait: Completed));
            Check.Equal("provider_failed", User.CallSetMutedAsync(Id(call), true, wait: Completed).Error<BrokerException>().Name);
        }

        public void AnOutgoingCallStartsConnectsAndIsConnected()
        {
            var call = new NSUuid();
            Controller.RequestTransactionAsync(new CXTransaction(new CXStartCallAction(
                call, new CXHandle(CXHandleType.PhoneNumber, "+15550123")))).Within();
            Check.Equal("start +15550123", App.Log.Next());
            Phone.ReportConnectingOutgoingCall(call, NSDate.Now);
            Phone.ReportConnectedOutgoingCall(call, DateTime.Now.ToNSDate());
            Check.Equal("on", App.Log.Next());
            Phone.ReportCall(call, new CXCallUpdate { LocalizedCallerName = new string('ä', 100) });
            Phone.Link.BrokerPingAsync().Within();
            var known = User.CallGetAsync(Id(call)).Within();
            Check.Equal(new[] { "active", new string('ä', 64) }, new[] { known.Text("state"), known.Text("display_name") });
            Phone.ReportCall(call, null, CXCallEndedReason.RemoteEnded);
            Check.Equal("off", App.Log.Next());
            Check.Equal(new object[0], User.CallListAsync().Within()["calls"]);
        }

        public void RefusalsHaveApplesNumbers()
        {
            Check.Equal(CXErrorCodeRequestTransactionError.EmptyTransaction, (CXErrorCodeRequestTransactionError)Refusal().Code);
            Check.Equal(CXErrorCodeRequestTransactionError.UnknownCallUuid,
                        (CXErrorCodeRequestTransactionError)Refusal(new CXEndCallAction(new NSUuid())).Code);
            var other = Incoming(Enter(Provider("org.other")));
            Check.Equal(CXErrorCodeRequestTransactionError.Unentitled,
                        (CXErrorCodeRequestTransactionError)Refusal(new CXEndCallAction(new NSUuid(other))).Code);
            var call = Ringing();
            Check.Equal(CXErrorCodeIncomingCallError.CallUuidAlreadyExists, Incoming(call));
            Check.True(Phone.HasCall(call), "the first one is as it was");
            User.PolicySetAsync(doNotDisturb: new { on = true }).Within();
            Check.Equal(CXErrorCodeIncomingCallError.FilteredByDoNotDisturb, Incoming(new NSUuid()));
        }

        private CXErrorCodeIncomingCallError Incoming(NSUuid call) => (CXErrorCodeIncomingCallError)
            Phone.ReportNewIncomingCallAsync(call, new CXCallUpdate()).Error<NSErrorException>().Error.Code;

        public void ALateActionIsOverAndChangesNothing()
        {
            App.IsPatient = true;
            var call = Ringing();
            Done(Answered(call));
            var held = User.CallSetHeldAsync(Id(call), true, wait: Completed);
            Check.Equal("hold", App.Log.Next());
            var action = App.Actions.Next();
            Check.Equal(1, Phone.GetPendingCallActions(typeof(CXSetHeldCallAction), call).Length);
            User.RequestAsync("test.advance", new { ms = 5000 }).Within();
            Check.Equal("deadline_exceeded", held.Error<BrokerException>().Name);
            Check.Equal("late CXSetHeldCallAction True", App.Log.Next());
            action.Fulfill();
            Check.Equal(0, Phone.GetPendingCallActions(typeof(CXCallAction), call).Length);
        }

        private System.Threading.Tasks.Task<Newtonsoft.Json.Linq.JObject> Answered(NSUuid call)
        {
            var answered = User.CallAnswerAsync(Id(call), wait: Completed);
            Check.Equal("answer", App.Log.Next());
            App.Actions.Next().Fulfill();
            Check.Equal("on", App.Log.Next());
            return answered;
        }

        public void ATransactionThatIsTakenOverIsNotPerformed()
        {
            var taken = new Arrivals<CXTransaction>();
            App.Takes = transaction => {
                taken.Add(transaction);
                return true;
            };
            var call = Ringing();
            var answered = User.CallAnswerAsync(Id(call), wait: Completed);
            var transaction1 = taken.Next();
            Check.Equal(1, Phone.PendingTransactions.Length);
            ((CXAnswerCallAction)transaction1.Actions.Single()).Fulfill(NSDate.Now);
            Done(answered);
            Check.True(transaction1.Complete, "the transaction is complete");
            Check.Equal("on", App.Log.Next());
        }

        public void CallsGoOnWhenTheBrokerWasKilled()
        {
            var call = Ringing();
            Done(User.CallAnswerAsync(Id(call), wait: Completed));
            var again = new Arrivals<string>();
            Phone.Link.Opened += (_, __) => again.Add("app");
            User.Opened += (_, __) => again.Add("user");
            Broker.Kill();
            Broker.Start();
            again.Next(2);
            Done(User.CallEndAsync(Id(call), wait: Completed));
            Check.Equal("answer on end off", string.Join(" ", App.Log.Next(4).Where(one => one != "reset").ToList()));
        }

        public void AnAppWithoutABrokerHasAProviderAllTheSame()
        {
            Phone.Invalidate();
            Registry.Socket = Broker.Path + ".none";
            var former = Console.Error;
            var log = new System.IO.StringWriter();
            Console.SetError(log);
            var other = new CXProvider(new CXProviderConfiguration("Phone"));
            Console.SetError(former);
            Check.True(log.ToString().Contains("callbroker serve"), "the log says what to do");
            Check.Equal(CXErrorCodeRequestTransactionError.UnknownCallProvider,
                        (CXErrorCodeRequestTransactionError)Refusal(new CXEndCallAction(new NSUuid())).Code);
            Check.Equal(CXErrorCodeIncomingCallError.Unknown, (CXErrorCodeIncomingCallError)other
                .ReportNewIncomingCallAsync(new NSUuid(), new CXCallUpdate()).Error<NSErrorException>().Error.Code);
            other.Invalidate();
        }

        public void AnAppThatIsDeniedIsReset()
        {
            Ringing();
            User.PolicySetAsync(authorization: Members.Of(Phone.Identity, "denied")).Within();
            Check.Equal("reset", App.Log.Next());
        }

        public void AnInvalidatedProviderHasNoCallsAndItsDelegateIsNotCalled()
        {
            var call = Ringing();
            Phone.Invalidate();
            Check.Equal("not_found", User.CallAnswerAsync(Id(call)).Error<BrokerException>().Name);
            Check.Equal(CXErrorCodeRequestTransactionError.UnknownCallProvider,
                        (CXErrorCodeRequestTransactionError)Refusal(new CXEndCallAction(call)).Code);
            Check.Equal(0, App.Log.Count);
        }

        public void AnObserverSeesEachChangeOnce()
        {
            var watch = new Watcher();
            var observer = Controller.CallObserver;
            Check.Equal(0, observer.Calls.Length);
            observer.SetDelegate(watch, new DispatchQueue("watch"));
            var call = Ringing();
            Check.Equal($"{call} - - -", watch.Log.Next());
            Done(User.CallAnswerAsync(Id(call), wait: Completed));
            Check.Equal($"{call} connected - -", watch.Log.Next());
            Done(User.CallSetHeldAsync(Id(call), true, wait: Completed));
            Check.Equal($"{call} connected held -", watch.Log.Next());
            Done(User.CallEndAsync(Id(call), wait: Completed));
            Check.Equal("ended", watch.Log.Next().Split(' ').Last());
            Check.Equal(0, observer.Calls.Length);
            observer.SetDelegate(null, null);
        }

        private sealed class Watcher : CXCallObserverDelegate
        {
            internal readonly Arrivals<string> Log = new Arrivals<string>();

            public override void CallChanged(CXCallObserver callObserver, CXCall call) => Log.Add(
                $"{call.Uuid} {(call.HasConnected ? "connected" : "-")} {(call.OnHold ? "held" : "-")} {(call.HasEnded ? "ended" : "-")}");
        }

        public void ValuesAreAsTheirAppsKnowThem()
        {
            var uuid = new NSUuid("3F0C4C52-6A0E-4B8E-9D5B-0C1B5F6A7D01");
            Check.True(uuid.Equals(new NSUuid("3f0c4c52-6a0e-4b8e-9d5b-0c1b5f6a7d01")), "ids are equal");
            Check.Equal("3F0C4C52-6A0E-4B8E-9D5B-0C1B5F6A7D01", uuid.ToString());
            Check.Equal(1500L, new DateTime(1970, 1, 1, 0, 0, 1, 500, DateTimeKind.Utc).ToNSDate().UnixMs);
            Check.Equal(new[] { "monkeycall", "ann" }, new[] { new NSUrl("monkeycall://ann").Scheme, new NSUrl("monkeycall://ann").Host });
            Check.Equal(null, NSUrl.FromString("no link"));
            Check.True(new CXCallUpdate().SupportsHolding && !new CXCallUpdate().HasVideo, "the defaults are Apple's");
            Check.Equal("INStartAudioCallIntentIdentifier", (string)INIntentIdentifier.StartAudioCall.GetConstant());
        }
    }

    /// <summary>Calls that the user starts outside the app.</summary>
    public sealed class StartIntentTests : WithCallKit, IDisposable
    {
        private static readonly Thread Main = new Thread(DispatchQueue.Main) { IsBackground = true };
        private readonly Door door = new Door();

        private sealed class Door : UIApplicationDelegate
        {
            internal readonly Arrivals<string> Asked = new Arrivals<string>();
            internal Func<string, bool> Handles = _ => true;

            public override bool ContinueUserActivity(
                UIApplication application, NSUserActivity activity, UIApplicationRestorationHandler handler)
            {
                var contact = ((INStartAudioCallIntent)activity.GetInteraction().Intent).Contacts[0].PersonHandle;
                Asked.Add($"{activity.ActivityType} {contact.Type} {contact.Value}");
                return Handles(contact.Value);
            }
        }

        public StartIntentTests()
        {
            if (!Main.IsAlive) Main.Start();
            UIApplication.SharedApplication.Delegate = door;
        }

        public new void Dispose()
        {
            UIApplication.SharedApplication.Delegate = null;
            base.Dispose();
        }

        private System.Threading.Tasks.Task<Newtonsoft.Json.Linq.JObject> Started(out string call)
        {
            call = Handle.NewId();
            var started = User.CallStartAsync(Ann, call: call, provider: Phone.Identity, wait: Completed);
            Check.Equal("INStartAudioCallIntentIdentifier PhoneNumber +15550100", door.Asked.Next());
            return started;
        }

        public void AStartOfTheAppAdoptsTheCallThatTheUserStarted()
        {
            var mine = new NSUuid();
            var started = Started(out var call);
            Controller.RequestTransactionAsync(new CXTransaction(new CXStartCallAction(
                mine, new CXHandle(CXHandleType.Generic, "+15550100")))).Within();
            Done(started);
            Check.Equal("start +15550100", App.Log.Next());
            Check.Equal(1, User.CallListAsync().Within().List("calls").Count);
            Phone.ReportConnectedOutgoingCall(mine, null);
            Check.Equal("on", App.Log.Next());
            Done(User.CallEndAsync(call, wait: Completed));
            Check.Equal("end", App.Log.Next());
            Check.True(App.Actions.Next(2).All(action => action.CallUuid.Equals(mine)), "the app knows its own id");
        }

        public void AnIntentThatTheAppDoesNotHandleIsPerformed()
        {
            door.Handles = _ => false;
            Done(Started(out var call));
            Check.Equal("start +15550100", App.Log.Next());
            Check.Equal(new NSUuid(call).ToString(), App.Actions.Next().CallUuid.ToString());
        }

        public void ACallThatTheUserEndsBeforeTheAppStartsItIsGone()
        {
            var started = Started(out var call);
            Done(User.CallEndAsync(call, wait: Completed));
            started.Error<BrokerException>();
            Check.Equal(0, App.Log.Count);
            Check.Equal(new object[0], User.CallListAsync().Within()["calls"]);
        }
    }
}
