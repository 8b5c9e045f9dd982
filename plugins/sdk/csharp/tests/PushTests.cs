using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>Pushes from their gateway to an app, with the broker itself.</summary>
    public sealed class PushTests : Staged
    {
        private const string Completed = "completed";

        public void APushIsDeliveredAndRings()
        {
            var app = Provider("org.one", new { push_types = new[] { "voip", "complication" } });
            var received = new Arrivals<string>();
            app.OnPush(async (push, cancellation) => {
                received.Add(push.Text("type"));
                if (push.Text("type") != "voip") return;
                var caller = Handle.Phone(push.Member("payload").Text("caller"));
                await app.CallReportIncomingAsync(Handle.NewId(), caller, cancellation: cancellation);
            });
            Enter(app);
            var result = User.PushDeliverAsync("org.one", new { caller = "+15550100" }, wait: Completed).Within();
            Check.Equal(true, result.Flag("reported_call"));
            Check.Equal("voip", received.Next());
            var calls = User.CallListAsync().Within().List("calls");
            Check.Equal("+15550100", ((JObject)calls[0]).Member("remote").Text("value"));
            result = User.PushDeliverAsync("org.one", new JObject(), "complication", 0).Within();
            Check.Equal(true, result.Flag("delivered"));
            Check.Equal("complication", received.Next());
        }

        public void TheTokenOfAGatewayReachesTheAppAndGoesWithIt()
        {
            var app = Provider("org.one", new { push_types = new[] { "voip" } });
            var tokens = new Arrivals<string>();
            app.OnPushToken((type, token) => tokens.Add($"{type} {token ?? "none"}"));
            Enter(app);
            Check.Equal("voip org.one", tokens.Next());
            var gateway = Enter(new Controller("gateway", Broker.Options));
            foreach (var token in new[] { "https://push.example/7", null, "https://push.example/8" }) {
                gateway.PushSetTokenAsync("org.one", "voip", token).Within();
                Check.Equal($"voip {token ?? "none"}", tokens.Next());
            }
            gateway.CloseAsync().Within();
            Check.Equal("voip none", tokens.Next());
        }

        public void PushesWithoutCallsAreCountedAndStopUntilTheyAreReset()
        {
            var app = Provider("org.one", new { push_types = new[] { "voip" } });
            var unreported = new Arrivals<JObject>();
            app.OnPush((push, _) => System.Threading.Tasks.Task.CompletedTask);
            app.OnPushUnreported(unreported.Add);
            Enter(app);
            for (var count = 1; count <= 5; count++) {
                var result = User.PushDeliverAsync("org.one", new JObject(), wait: Completed).Within();
                Check.Equal(false, result.Flag("reported_call"));
                var told = unreported.Next();
                Check.Equal(count, told.Number("in_a_row"));
                Check.Equal(count == 5, told.Flag("stopped"));
            }
            var error = User.PushDeliverAsync("org.one", new JObject()).Error<BrokerException>();
            Check.Equal("pushes_stopped", error.Reason);
            User.PushResetAsync("org.one").Within();
            User.PushDeliverAsync("org.one", new JObject(), wait: Completed).Within();
        }
    }
}
