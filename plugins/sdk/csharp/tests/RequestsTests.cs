using System;
using System.Linq;
using System.Threading;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>Requests, their replies and what goes wrong with them.</summary>
    public sealed class RequestsTests : Scripted
    {
        private readonly Client client;
        private readonly Peer peer;

        public RequestsTests()
        {
            client = new Client("a", Broker.Options);
            peer = Enter(client);
            peer.Greet();
            client.OpenAsync().Within();
        }

        public void RepliesFindTheirRequestsInAnyOrder()
        {
            var replies = Enumerable.Range(0, 3).Select(n => client.BrokerPingAsync(n)).ToList();
            foreach (var frame in replies.Select(_ => peer.Read("broker.ping")).Reverse()) {
                var id = (long)frame["id"];
                peer.Send(new { id = id + 10, result = new { } }, new { id = id.ToString(), result = new { } },
                          new { id, result = frame["params"] }, new { id, result = new { } });
            }
            Check.Equal(new[] { 0, 1, 2 }, replies.Select(reply => reply.Within()["payload"]));
        }

        public void TheLastLineNeedsNoEnd()
        {
            var reply = client.CallListAsync();
            peer.Raw(Peer.Encoded(new { id = peer.Read()["id"], result = new { seq = 5 } }));
            peer.End();
            Check.Equal(new { seq = 5 }, reply.Within());
        }

        public void AnErrorHasItsNameAndItsReason()
        {
            var reply = client.CallAnswerAsync(Peer.Call, wait: "completed");
            var request = peer.Read("call.answer");
            Check.Equal(new { call = Peer.Call, wait = "completed" }, request["params"]);
            peer.Refuse(request, -32006, new { reason = "cannot_hold", retryable = true, rule = "6" });
            var error = reply.Error<BrokerException>();
            Check.Equal(new object[] { "invalid_state", "cannot_hold", true, "6", "no" },
                        new object[] { error.Name, error.Reason, error.IsRetryable, error.Data["rule"], error.Message });
        }

        public void ACancelledRequestIsTakenBack()
        {
            using (var source = new CancellationTokenSource()) {
                var reply = client.CallListAsync(cancellation: source.Token);
                var id = peer.Read("call.list")["id"];
                source.Cancel();
                Check.Equal(new { request = id }, peer.Read("broker.cancel")["params"]);
                reply.Error<OperationCanceledException>();
                client.CallListAsync(cancellation: source.Token).Error<OperationCanceledException>();
                peer.Send(new { id, result = new { } });
            }
        }

        public void ARequestWithoutAReplyIsTakenBackInTime()
        {
            var reply = client.RequestAsync("call.list", null, default(CancellationToken), TimeSpan.FromMilliseconds(1));
            var id = peer.Read("call.list")["id"];
            Check.Equal(new { request = id }, peer.Read("broker.cancel")["params"]);
            reply.Error<TimeoutException>();
        }

        public void ALostConnectionFailsWhatIsOpen()
        {
            var reply = client.CallListAsync();
            peer.Read("call.list");
            peer.Close();
            reply.Error<DisconnectedException>();
        }

        public void WhatIsTooLongIsNotSent()
        {
            var error = client.RequestAsync("x", new { text = new string('x', 70000) }).Error<BrokerException>();
            Check.Equal(new { reason = "frame_bytes", limit = new { name = "frame_bytes", value = 65536 } }, error.Data);
            client.Notify("x_first", new { n = 1 });
            peer.Read("x_first");
        }

        public void WhatIsNotUnicodeIsNotSent()
        {
            client.RequestAsync("x", new { text = "\ud800" }).Error<ArgumentException>();
            client.Notify("x_first");
            peer.Read("x_first");
        }

        public void AMemberThatIsNullIsSentWhereItIsNeeded()
        {
            client.CallSetGroupAsync(Peer.Call, null).ContinueWith(reply => reply.Exception);
            Check.Equal(new { call = Peer.Call, with = (string)null }, peer.Read("call.set_group")["params"]);
            client.RequestAsync("call.report_update", new { call = Peer.Call, line = (string)null })
                .ContinueWith(reply => reply.Exception);
            Check.Equal(new { call = Peer.Call, line = (string)null }, peer.Read("call.report_update")["params"]);
        }

        public void WhatMakesNoSenseIsIgnored()
        {
            foreach (var odd in new[] {
                "", "nonsense", "[]", "null", "{", "\u0000", "{}{}", "{\"id\":1e99}", new string('[', 5000),
                "{\"id\":" + new string('9', 500) + "}", "{\"method\":7}", "{\"id\":{},\"result\":[]}",
                "{\"method\":\"event\",\"params\":[]}", "{\"method\":\"broker.cancel\",\"params\":{\"request\":[]}}",
                "{\"method\":\"broker.goodbye\",\"params\":{\"reconnect_after_ms\":\"x\",\"resumable\":7}}",
                "{\"method\":\"events.gap\"}", "{\"id\":null,\"error\":7}",
                string.Concat(Enumerable.Repeat("{\"a\":", 5000)) }) {
                peer.Raw(odd + "\n");
            }
            peer.Send(new { id = "odd", method = "broker.ping", @params = new { payload = new[] { 1 } } });
            Check.Equal(new { jsonrpc = "2.0", id = "odd", result = new { payload = new[] { 1 } } }, peer.Read());
        }

        public void AnErrorWithoutSenseIsAnErrorAllTheSame()
        {
            foreach (var odd in new object[] { null, 7, new { code = "x", data = 3 }, new { code = 1L << 40, message = 1 } }) {
                var reply = client.CallListAsync();
                peer.Send(new { id = peer.Read()["id"], error = odd });
                Check.Equal("broker_error", reply.Error<BrokerException>().Name);
            }
        }

        public void EachRequestOfTheBrokerHasOneAnswer()
        {
            var faults = new Arrivals<Exception>();
            client.Faulted += (_, error) => faults.Add(error);
            client.Handle("x.done", async (given, _) => given);
            client.Handle("x.failed", (given, _) => throw new FailedException("not_today", "no", appCode: "SIP 486"));
            client.Handle("x.broken", (given, _) => throw new InvalidOperationException("ours"));
            client.Handle("x.long", async (given, _) => new JObject { { "text", new string('x', 70000) } });
            Check.Equal(new { result = new { a = 1 } }, Answer("x.done"));
            Check.Equal(new { error = new { code = -32000, message = "no", data = new {
                reason = "not_today", app_code = "SIP 486" } } }, Answer("x.failed"));
            Check.Equal("internal", Answer("x.broken")["error"]["data"]["reason"]);
            Check.Equal("ours", faults.Next().Message);
            Check.Equal("internal", Answer("x.long")["error"]["data"]["reason"]);
            Check.True(faults.Next() is BrokerException, "it is too long");
            Check.Equal(new { error = new { code = -32601, message = "x.other is not supported",
                data = new { reason = "not_supported" } } }, Answer("x.other"));
        }

        private JObject Answer(string method)
        {
            peer.Send(new { id = 7, method, @params = new { a = 1 } });
            var answer = peer.Read();
            Check.Equal(7, answer["id"]);
            answer.Remove("id");
            answer.Remove("jsonrpc");
            return answer;
        }

        public void ARequestThatTheBrokerTakesBackIsCancelled()
        {
            client.Handle("x.waits", async (given, cancellation) => {
                await System.Threading.Tasks.Task.Delay(Timeout.Infinite, cancellation);
                return null;
            });
            peer.Send(new { id = 7, method = "x.waits" }, new { method = "broker.cancel", @params = new { request = 7 } });
            Check.Equal(-32010, peer.Read()["error"]["code"]);
        }

        public void NotificationsComeInOrderAndAHandlerThatBlocksStopsNoRequest()
        {
            var seen = new Arrivals<string>();
            client.On("x.one", given => seen.Add("one " + client.CallListAsync().Within()["n"]));
            client.NotificationReceived += (_, received) => seen.Add(received.Method);
            peer.Send(new { method = "x.one" }, new { method = "x.two" });
            peer.Reply(peer.Read("call.list"), new { n = 1 });
            Check.Equal(new[] { "one 1", "x.one", "x.two" }, seen.Next(3));
        }
    }
}
