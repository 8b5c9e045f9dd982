using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>Providers, controllers, observers and screens with the broker itself.</summary>
    public sealed class BrokerTests : Staged
    {
        private const string Completed = "completed";

        public void OneAppIsHeldBeforeAnotherIsAnswered()
        {
            var one = Enter(Provider("org.one"));
            var other = Enter(Provider("org.two"));
            var first = Incoming(one);
            var second = Incoming(other);
            Done(User.CallAnswerAsync(first, wait: Completed));
            var plan = User.CallAnswerAsync(second, "hold_and_answer", dryRun: true).Within();
            Check.Equal(new[] { first }, plan["would_hold"]);
            Done(User.CallAnswerAsync(second, "hold_and_answer", wait: Completed));
            Check.Equal(new[] { "org.one answer", "org.one set_held", "org.two answer" }, Performed.Next(3));
        }

        public void ErrorsSayWhatStandsInTheWay()
        {
            var one = Enter(Provider("org.one"));
            var other = Enter(Provider("org.two"));
            var first = Incoming(one, new { supports_holding = false });
            Done(User.CallAnswerAsync(first, wait: Completed));
            var error = User.CallAnswerAsync(Incoming(other)).Error<BrokerException>();
            Check.Equal(new[] { "invalid_state", "cannot_hold" }, new[] { error.Name, error.Reason });
            Check.Equal(new[] { new { call = first, provider = "org.one" } }, error.Data["blocking"]);
            Check.Equal("already_exists", one.CallReportIncomingAsync(first, Ann).Error<BrokerException>().Name);
            Check.Equal("not_found", User.CallEndAsync(Handle.NewId()).Error<BrokerException>().Name);
        }

        public void AProviderThatFailsAndOneThatIsSilent()
        {
            var app = Provider("org.one");
            var begun = new Arrivals<ProviderAction>();
            app.Perform("answer", new System.Action<ProviderAction>(
                action => throw new FailedException(message: "Busy", appCode: "SIP 486")));
            app.Perform("start", action => {
                begun.Add(action);
                return Task.Delay(Timeout.Infinite, action.Withdrawn);
            });
            Enter(app);
            var refused = User.CallAnswerAsync(Incoming(app), wait: Completed).Error<BrokerException>();
            Check.Equal(new[] { "provider_failed", "SIP 486" },
                        new[] { refused.Name, refused.Data["provider_error"]["app_code"].ToString() });
            var started = User.CallStartAsync(Ann, provider: "org.one", wait: Completed);
            var action2 = begun.Next();
            User.RequestAsync("test.advance", new { ms = 600000 }).Within();
            Check.Equal("deadline_exceeded", started.Error<BrokerException>().Name);
            Check.True(action2.Withdrawn.WaitHandle.WaitOne(Check.Ceiling), "the action is withdrawn");
        }

        public void ACallOutlivesALostConnectionAndTheBroker()
        {
            var app = Provider("org.one");
            var call = Handle.NewId();
            app.Reconcile(() => new[] { new JObject {
                { "call", call }, { "direction", "incoming" }, { "state", "active" }, { "remote", Ann } } });
            var opened = new Arrivals<bool>();
            app.Opened += (_, __) => opened.Add(app.Hello.Member("session").Flag("resumed"));
            app.Dropped += (_, ids) => Check.Equal(0, opened.Count);
            Enter(app);
            Check.Equal(false, opened.Next());
            Check.Equal(new[] { call }, app.Registered["calls"]); // adopted, as the broker knew nothing of it
            app.Post(app.Reconnect);
            Check.Equal(true, opened.Next());
            Done(User.CallSetMutedAsync(call, true, wait: Completed));
            var again = new Arrivals<bool>();
            User.Opened += (_, __) => again.Add(true);
            Broker.Kill();
            Broker.Start();
            opened.Next();
            again.Next();
            Done(User.CallEndAsync(call, wait: Completed));
            Check.Equal(new[] { "org.one set_muted", "org.one end" }, Performed.Next(2));
        }

        public void AnObserverGoesOnWhereItWas()
        {
            var app = Enter(Provider("org.one"));
            var watch = Enter(new Observer("watch", Broker.Options, new[] { "call.*" }));
            var first = Incoming(app);
            Check.Equal("snapshot", watch.NextAsync().Within().Topic);
            Check.Equal("call.added", watch.NextAsync().Within().Topic);
            watch.Post(watch.Reconnect);
            Done(User.CallEndAsync(first, wait: Completed));
            var second = Incoming(app);
            var topics = "";
            for (CallEvent next; (next = watch.NextAsync().Within()).Call != second;) topics += next.Topic + " ";
            Check.True(topics.Contains("call.removed") && !topics.Contains("snapshot"), topics);
            Check.Equal(new[] { second }, watch.Calls.Keys);
        }

        public void AProviderTakesTransactionsOver()
        {
            var app = Provider("org.one");
            app.OnExecute(async (offer, _) => {
                foreach (var action in offer.List("actions")) {
                    Performed.Add(action.Value<string>("kind"));
                    app.ActionSettleAsync(action.Value<string>("action"), "fulfilled").GetHashCode();
                }
                await Task.Yield();
                return true;
            });
            Enter(app);
            var first = Incoming(app);
            var second = Incoming(app);
            Done(User.CallAnswerAsync(first, wait: Completed));
            Done(User.CallAnswerAsync(second, "hold_and_answer", wait: Completed));
            Check.Equal(new[] { "answer", "set_held", "answer" }, Performed.Next(3));
        }

        public void AScreenShowsACallAndAnswersIt()
        {
            var app = Enter(Provider("org.one"));
            var screen = new Screen("screen", With("org.screen"));
            var shown = new Arrivals<string>();
            screen.OnPresent(async (call, _) => {
                shown.Add(call.Text("call"));
                await screen.CallAnswerAsync(call.Text("call"));
                return true;
            });
            Enter(screen);
            Check.Equal(true, screen.ClaimAsync().Within()["primary"]);
            var incoming = Incoming(app);
            Check.Equal(incoming, shown.Next());
            Check.Equal("org.one answer", Performed.Next());
        }

        private ClientOptions With(string identity)
        {
            var options = Broker.Options;
            options.Identity = identity;
            return options;
        }

        public void WhetherACallWouldRing()
        {
            var app = Enter(Provider("org.one"));
            Check.Equal("ringing", app.MayRingAsync(new { remote = Ann }).Within()["state"]);
            User.PolicySetAsync(doNotDisturb: new { on = true }).Within();
            Check.Equal("do_not_disturb", app.MayRingAsync(new { remote = Ann }).Error<BrokerException>().Reason);
            Check.Equal(new object[0], User.CallListAsync().Within()["calls"]);
        }
    }
}
