using System;
using System.Linq;
using System.Threading;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>Sessions: opened, lost at any point, renewed, and ended.</summary>
    public sealed class SessionsTests : Scripted
    {
        public void AHelloHasAllThatTheProgramIs()
        {
            var options = Broker.Options;
            options.Identity = "org.example.a";
            options.Version = "2";
            options.Url = "https://example.org";
            options.Features = new[] { "alerting" };
            var hello = Enter(new Controller("a", options)).Greet();
            Check.Equal(new {
                protocol = new { min = 1, max = 1 },
                client = new { name = "a", version = "2", url = "https://example.org" },
                roles = new[] { "controller", "observer" }, identity = "org.example.a",
                features = new[] { "alerting" } }, hello["params"]);
        }

        public void RequestsWaitForTheSession()
        {
            var client = new Client("a", Broker.Options);
            var peer = Enter(client);
            var hello = peer.Read("broker.hello");
            var reply = client.CallListAsync();
            peer.Reply(hello, new { session = Peer.Session });
            peer.Reply(peer.Read("call.list"), new { calls = new[] { 1 } });
            Check.Equal(new { calls = new[] { 1 } }, reply.Within());
        }

        public void WithoutABrokerThereIsNoSession()
        {
            var options = Broker.Options;
            options.Socket += ".none";
            var client = new Client("a", options);
            client.OpenAsync().Error<System.Net.Sockets.SocketException>();
            client.CallListAsync().Error<DisconnectedException>();
            Check.True(client.Completion.IsFaulted, "the client is over");
        }

        public void ASocketWhosePathIsTooLongIsNamed()
        {
            var options = Broker.Options;
            options.Socket = "/" + new string('x', 120);
            Check.True(new Client("a", options).OpenAsync().Error<ArgumentException>().Message
                           .Contains("set BROKER_SOCKET to a shorter one"), "the message says what to do");
        }

        public void AProviderThatIsLostResumesAndListsItsCallsInPages()
        {
            var app = new Provider("org.example.a", "A", new { handle_types = new[] { "phone" } }, Broker.Options);
            var calls = Enumerable.Range(0, 70).Select(n => new JObject { { "call", n } }).ToList();
            app.Reconcile(() => calls);
            var dropped = new Arrivals<string>();
            app.Dropped += (_, ids) => dropped.Add(string.Join(" ", ids));
            var lost = new Arrivals<Exception>();
            app.Lost += (_, error) => lost.Add(error);
            var peer = Enter(app);
            Pages(peer);
            dropped.Next();
            peer.Close();
            Check.True(lost.Next() is DisconnectedException, "the connection is lost");
            peer = Broker.Accept();
            var hello = Pages(peer);
            Check.Equal(Peer.Session, hello["params"]["resume"]);
            Check.Equal("0 32 64", dropped.Next());
        }

        private static JObject Pages(Peer peer)
        {
            var hello = peer.Greet();
            foreach (var first in new[] { 0, 32, 64 }) {
                var register = peer.Read("provider.register");
                Check.Equal(new { call = first }, register["params"]["calls"][0]);
                Check.Equal(first < 64, register["params"]["more"] != null);
                Check.Equal("A", register["params"]["display_name"]);
                peer.Reply(register, new { dropped = new[] { first.ToString() } });
            }
            return hello;
        }

        public void LostAtEachPointOfTheOpening()
        {
            var app = new Provider("org.example.a", "A", null, Broker.Options);
            app.Perform("answer", action => { });
            var peer = Enter(app);
            var opening = Peer.Encoded(new { id = 1, result = new { session = Peer.Session } });
            for (var cut = 0; cut < opening.Length; cut += 9) {
                var id = peer.Read("broker.hello")["id"];
                peer.Raw(opening.Substring(0, cut).Replace("\"id\":1", $"\"id\":{id}"));
                peer.Close();
                peer = Broker.Accept();
            }
            peer.GreetProvider();
            peer.Perform(7);
            Check.Equal(7, peer.Read()["id"]);
        }

        public void WhatIsHopelessIsNotTriedAgain()
        {
            var client = new Client("a", Broker.Options);
            var peer = Enter(client);
            peer.Refuse(peer.Read("broker.hello"), -32015);
            Check.Equal("version_unsupported", client.Completion.Error<BrokerException>().Name);
        }

        public void WhatPassesIsTriedAgain()
        {
            var client = new Client("a", Broker.Options);
            var peer = Enter(client);
            peer.Refuse(peer.Read("broker.hello"), -32018);
            peer = Broker.Accept();
            peer.Greet();
            client.OpenAsync().Within();
            Check.True(client.IsConnected, "the session is open");
        }

        public void ADeniedRoleEndsTheClient()
        {
            var client = new Screen("a", Broker.Options);
            Enter(client).Greet(denied: new[] { new { role = "ui", reason = "manifest" } });
            var error = client.Completion.Error<BrokerException>();
            Check.Equal(new[] { "permission_denied", "manifest" }, new[] { error.Name, error.Reason });
        }

        public void AGoodbyeForGoodEndsTheClient()
        {
            foreach (var reason in new[] { "stop", "superseded" }) {
                var client = new Client("a", Broker.Options);
                var running = client.RunAsync();
                var peer = Broker.Accept();
                peer.Greet();
                peer.Send(new { method = "broker.goodbye", @params = new { reason } });
                running.Within();
                peer.ReadEnd();
            }
        }

        public void AfterAGoodbyeThatIsNotResumableTheSessionIsNew()
        {
            var app = new Provider("org.example.a", "A", null, Broker.Options);
            var peer = Enter(app);
            peer.GreetProvider();
            peer.Send(new { method = "broker.goodbye", @params = new { reason = "restart", resumable = false } });
            peer.Close();
            Check.Equal(null, Broker.Accept().Greet()["params"]["resume"]);
        }

        public void ClosingSaysGoodbyeAndLeavesNothingOpen()
        {
            var client = new Client("a", Broker.Options);
            var peer = Enter(client);
            peer.Greet();
            client.OpenAsync().Within();
            var reply = client.CallListAsync();
            peer.Read("call.list");
            client.CloseAsync(resumable: true).Within();
            Check.Equal(new { reason = "closed", resumable = true }, peer.Read("broker.goodbye")["params"]);
            peer.ReadEnd();
            reply.Error<DisconnectedException>();
            client.CallListAsync().Error<DisconnectedException>();
        }

        public void CancellingARunClosesTheClient()
        {
            using (var source = new CancellationTokenSource()) {
                var running = new Client("a", Broker.Options).RunAsync(source.Token);
                var peer = Broker.Accept();
                peer.Greet();
                source.Cancel();
                peer.ReadEnd();
                running.Within();
            }
        }

        public void ALongDocumentComesThroughAndAnEndlessLineEndsTheConnection()
        {
            var client = new Client("a", Broker.Options);
            var peer = Enter(client);
            peer.Greet();
            var reply = client.RequestAsync("rpc.discover");
            peer.Reply(peer.Read("rpc.discover"), new { methods = new string('x', 900000) });
            Check.Equal(900000, reply.Within().Text("methods").Length);
            try {
                peer.Raw(new string('x', 2000000));
            } catch (System.Net.Sockets.SocketException) { // it has closed before all was sent
            }
            Broker.Accept().Greet();
        }

        public void PausesDoubleUpToTheLongest()
        {
            var first = TimeSpan.FromMilliseconds(100);
            var longest = TimeSpan.FromSeconds(5);
            Check.Equal(new[] { 100.0, 200, 400, 5000, 5000 }, new[] { 0, 1, 2, 6, 1000 }.Select(
                tries => Client.Pause(tries, first, longest, 0.5).TotalMilliseconds));
            Check.Equal(80.0, Client.Pause(0, first, longest, 0).TotalMilliseconds);
        }
    }
}
