using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>Actions: performed once, answered once, taken back, late; and transactions that are taken
    /// over.</summary>
    public sealed class ProviderTests : Scripted
    {
        private readonly Provider app;
        private Peer peer;

        public ProviderTests()
        {
            app = new Provider("org.example.a", "A", new { handle_types = new[] { "phone" } }, Broker.Options);
            peer = Enter(app);
        }

        public void AHandlerThatReturnsHasFulfilledItsAction()
        {
            ProviderAction seen = null;
            app.Perform("answer", action => {
                seen = action;
                action.HappenedAtMs = 5;
            });
            Check.Equal(new { display_name = "A", handle_types = new[] { "phone" } }, peer.GreetProvider()["params"]);
            peer.Perform(7, attempt: 2);
            Check.Equal(new { at_ms = 5 }, peer.Read()["result"]);
            Check.Equal(new object[] { Peer.Action, "answer", Peer.Call, 5000, 2, "user" },
                        new object[] { seen.Id, seen.Kind, seen.Call, seen.DeadlineMs, seen.Attempt, seen.Cause["origin"] });
        }

        public void WhatFailsSaysWhy()
        {
            app.Faulted += (_, error) => { };
            app.Perform("answer", new Action<ProviderAction>(action => throw new FailedException("busy")));
            app.Perform("end", new Func<ProviderAction, Task>(async action => {
                await Task.Yield();
                throw new InvalidOperationException();
            }));
            peer.GreetProvider();
            peer.Perform(7);
            Check.Equal(new { code = -32000, message = "", data = new { reason = "busy" } }, peer.Read()["error"]);
            peer.Perform(8, "end", Handle.NewId());
            Check.Equal(-32603, peer.Read()["error"]["code"]);
            peer.Perform(9, "x_new", Handle.NewId());
            Check.Equal(-32601, peer.Read()["error"]["code"]);
            peer.Send(new { id = 10, method = "provider.perform" });
            Check.Equal("missing_member", peer.Read()["error"]["data"]["reason"]);
        }

        public void AnActionThatComesAgainIsPerformedOnce()
        {
            var count = 0;
            var gate = new TaskCompletionSource<bool>();
            app.Perform("answer", async action => {
                Interlocked.Increment(ref count);
                await gate.Task;
            });
            peer.GreetProvider();
            peer.Perform(7);
            peer.Perform(8);
            peer.Close();
            peer = Broker.Accept();
            peer.GreetProvider();
            peer.Perform(3, attempt: 2);
            gate.SetResult(true);
            Check.Equal(3, peer.Read()["id"]);
            peer.Perform(4, attempt: 3);
            Check.Equal(4, peer.Read()["id"]);
            Check.Equal(1, count);
        }

        public void ALateOrCancelledActionIsWithdrawn()
        {
            var late = new Arrivals<ProviderAction>();
            app.TimedOut += (_, action) => late.Add(action);
            app.Perform("answer", action => Task.Delay(Timeout.Infinite, action.Withdrawn));
            peer.GreetProvider();
            peer.Perform(7);
            peer.Send(new { method = "broker.cancel", @params = new { request = 7 } });
            Check.Equal(-32010, peer.Read()["error"]["code"]);
            var other = Handle.NewId();
            peer.Perform(8, action: other);
            peer.Send(new { method = "provider.timed_out", @params = new { action = other } });
            Check.Equal(-32010, peer.Read()["error"]["code"]);
            Check.True(late.Next().HasTimedOut, "it is late");
        }

        public void ProgressNamesTheRequest()
        {
            app.Perform("start", async action => {
                action.ReportProgress(phase: "dialing", extendMs: 1000);
                await Task.Yield();
            });
            peer.GreetProvider();
            peer.Perform("x", "start");
            Check.Equal(new { request = "x", phase = "dialing", extend_ms = 1000 }, peer.Read("broker.progress")["params"]);
            Check.Equal("x", peer.Read()["id"]);
        }

        public void NothingIsSettledBeforeTheBrokerKnowsThatItWasTakenOver()
        {
            app.OnExecute(async (offer, _) => {
                app.ActionSettleAsync(offer["actions"][0].Value<string>("action"), "fulfilled")
                    .ContinueWith(reply => reply.Exception).GetHashCode();
                await Task.Yield();
                return true;
            });
            Check.Equal(true, peer.GreetProvider()["params"]["takes_transactions"]);
            peer.Send(new { id = 7, method = "provider.execute", @params = new {
                transaction = "t", actions = new[] { new { action = Peer.Action } } } });
            Check.Equal(new { taken = true }, peer.Read()["result"]);
            Check.Equal(Peer.Action, peer.Read("action.settle")["params"]["action"]);
        }

        public void AnActionThatWasTakenOverIsWithdrawnByItsId()
        {
            var withdrawn = new Arrivals<string>();
            app.Withdrawn += (_, id) => withdrawn.Add(id);
            peer.GreetProvider();
            peer.Send(new { method = "broker.cancel", @params = new { request = 3, action = "x" } });
            Check.Equal("x", withdrawn.Next());
        }

        public void ActionsThatWereAnsweredAreRememberedForAWhile()
        {
            var count = 0;
            app.Perform("answer", action => { Interlocked.Increment(ref count); });
            peer.GreetProvider();
            foreach (var n in Enumerable.Range(0, 600)) {
                peer.Perform(n, action: "a" + n);
                peer.Read();
            }
            peer.Perform(601, action: "a599");
            peer.Read();
            Check.Equal(600, count);
            peer.Perform(602, action: "a0");
            peer.Read();
            Check.Equal(601, count);
        }

        public void WhatMakesNoSenseIsAnsweredOrIgnored()
        {
            app.Faulted += (_, error) => { };
            app.Perform("answer", action => { action.Arguments.List("x"); });
            app.OnExecute((offer, _) => Task.FromResult(offer.List("actions").Count > 0));
            peer.GreetProvider();
            object[] odd = { null, 7, "x", new int[0], new { action = 7 }, new { action = new { } },
                new { action = "a", kind = 7, call = new int[0], arguments = 3, deadline_ms = "x", attempt = 1e99 } };
            foreach (var members in odd) {
                foreach (var method in new[] { "provider.perform", "provider.execute", "provider.send_text" }) {
                    peer.Send(new { id = 7, method, @params = members });
                    Check.Equal(7, peer.Read()["id"]);
                }
                foreach (var method in new[] { "provider.timed_out", "broker.cancel", "provider.reset", "broker.warning" }) {
                    peer.Send(new { method, @params = members });
                }
            }
            peer.Perform(8);
            Check.Equal(new { }, peer.Read()["result"]);
        }

        public void AnUpdateIsRegisteredAgain()
        {
            peer.GreetProvider();
            app.OpenAsync().Within();
            app.UpdateAsync(new { lines = new[] { new { line = "work" } } }).ContinueWith(reply => reply.Exception);
            Check.Equal("work", peer.Read("provider.update")["params"]["lines"][0]["line"]);
            peer.Close();
            peer = Broker.Accept();
            Check.Equal("work", peer.GreetProvider()["params"]["lines"][0]["line"]);
        }

        public void WhatTheBrokerAsksOfALineATextAndAParticipantIsDone()
        {
            var seen = new Arrivals<string>();
            app.OnChangeSetting(async (given, _) => seen.Add(given.Text("setting")));
            app.OnSendText(async (given, _) => seen.Add(given.Text("text")));
            app.OnChangeParticipant((given, _) => throw new FailedException("gone"));
            peer.GreetProvider();
            peer.Send(new { id = 1, method = "line.change_setting", @params = new { setting = "call_waiting" } });
            Check.Equal(new { }, peer.Read()["result"]);
            peer.Send(new { id = 2, method = "provider.send_text", @params = new { text = "hi" } });
            Check.Equal(new { }, peer.Read()["result"]);
            peer.Send(new { id = 3, method = "participant.change", @params = new { } });
            Check.Equal("gone", peer.Read()["error"]["data"]["reason"]);
            Check.Equal(new[] { "call_waiting", "hi" }, seen.Next(2));
        }
    }

    /// <summary>Screens, and who has the audio endpoints.</summary>
    public sealed class ScreenTests : Scripted
    {
        public void AScreenClaimsAgainInEachSession()
        {
            var screen = new Screen("a", Broker.Options);
            var peer = Enter(screen);
            var gone = new Arrivals<string>();
            screen.OnPresent(async (call, _) => call.Text("call") == "mine");
            screen.OnDismiss(given => gone.Add(given.Text("reason")));
            peer.GreetObserver();
            var claim = screen.ClaimAsync(new { priority = 10 });
            peer.Reply(peer.Read("ui.claim"), new { primary = true });
            Check.Equal(true, claim.Within()["primary"]);
            peer.Send(new { id = 1, method = "ui.present", @params = new { call = "mine" } },
                      new { id = 2, method = "ui.present", @params = new { call = "other" } },
                      new { method = "ui.dismiss", @params = new { call = "mine", reason = "ended" } });
            Check.Equal(new { presented = true }, peer.Read()["result"]);
            Check.Equal(new { presented = false }, peer.Read()["result"]);
            Check.Equal("ended", gone.Next());
            peer.Close();
            peer = Broker.Accept();
            peer.GreetObserver();
            Check.Equal(new { priority = 10 }, peer.Read("ui.claim")["params"]);
        }

        public void EndpointsAreReportedAgainInEachSession()
        {
            var host = new AudioHost("a", Broker.Options);
            var used = new Arrivals<string>();
            host.OnUseEndpoint(async (endpoint, _) => used.Add(endpoint));
            var peer = Enter(host);
            peer.GreetObserver();
            var reported = host.ReportEndpointsAsync(new[] { new { endpoint = "e", kind = "speaker" } });
            peer.Reply(peer.Read("audio.report_endpoints"), new { chosen = "e" });
            Check.Equal("e", reported.Within()["chosen"]);
            peer.Send(new { id = 1, method = "audio.use_endpoint", @params = new { endpoint = "e" } });
            Check.Equal(new { }, peer.Read()["result"]);
            Check.Equal("e", used.Next());
            peer.Close();
            peer = Broker.Accept();
            peer.GreetObserver();
            Check.Equal("speaker", peer.Read("audio.report_endpoints")["params"]["endpoints"][0]["kind"]);
        }
    }
}
