using System.Linq;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>The state of all calls, complete at any moment; what was missed, and how it is
    /// mended.</summary>
    public sealed class ObserverTests : Scripted
    {
        private static object Call(string call, long rev) => new { call, rev };

        private static object Event(long seq, string topic, object data, long? prev = null, string epoch = "e",
                                    object call = null) =>
            new { method = "event", @params = new {
                subscription = 1, epoch, seq, prev = prev ?? seq - 1, at_ms = 1, topic, data, call } };

        private Observer Watch(out Peer peer, params string[] topics)
        {
            var watch = new Observer("a", Broker.Options, topics.Length == 0 ? null : topics);
            peer = Enter(watch);
            return watch;
        }

        private static string Topics(Observer watch, int count) =>
            string.Join(" ", Enumerable.Range(0, count).Select(_ => watch.NextAsync().Within().Topic));

        private static string Names(Observer watch) => string.Join(" ", watch.Calls.Keys.OrderBy(name => name));

        public void ASnapshotThenWhatHappens()
        {
            var watch = Watch(out var peer, "call.*");
            var raised = new Arrivals<string>();
            watch.EventReceived += (_, happened) => raised.Add(happened.Topic);
            Check.Equal(new { topics = new[] { "call.*" } }, peer.GreetObserver(Peer.Snapshot(4, Call("a", 1)))["params"]);
            peer.Send(Event(5, "call.added", Call("b", 1)), Event(6, "call.changed", Call("b", 2)),
                      Event(7, "call.changed", Call("a", 0)), Event(8, "call.removed", new { call = "a" }),
                      Event(9, "broker.bookmark", new { }), Event(10, "x_last", new { }));
            const string all = "snapshot call.added call.changed call.changed call.removed x_last";
            Check.Equal(all, Topics(watch, 6));
            Check.Equal(all, string.Join(" ", raised.Next(6)));
            Check.Equal(new { b = Call("b", 2) }, watch.Calls);
            Check.Equal(new { epoch = "e", seq = 10 }, watch.Cursor);
        }

        public void EventsBeforeTheReplyThatNamesTheirSubscriptionCount()
        {
            var watch = Watch(out var peer);
            peer.Greet();
            var subscribe = peer.Read("events.subscribe");
            peer.Send(Event(3, "call.added", Call("old", 1)), Event(5, "call.added", Call("b", 1)));
            peer.Reply(subscribe, Peer.Snapshot(4));
            Check.Equal("snapshot call.added", Topics(watch, 2));
            Check.Equal("b", Names(watch));
        }

        private static readonly object Changing = new { call_changes = new { version = 1 } };

        public void ChangesAreDeliveredAsWholeCalls()
        {
            var watch = Watch(out var peer);
            peer.Greet(features: Changing);
            var subscribe = peer.Read("events.subscribe");
            Check.Equal(new { topics = new[] { "*" }, detail = "changes" }, subscribe["params"]);
            var known = new { call = "a", rev = 1, name = "Ada", pending_action = "answering" };
            peer.Reply(subscribe, Peer.Snapshot(4, known));
            var cause = new { origin = "user" };
            peer.Send(Event(5, "call.changed", new { set = new { state = "active", rev = 2 },
                removed = new[] { "pending_action" }, changed = new[] { "state", "pending_action" }, cause }, call: "a"));
            Check.Equal("snapshot", Topics(watch, 1));
            var whole = new { call = "a", rev = 2, name = "Ada", state = "active",
                changed = new[] { "state", "pending_action" }, cause };
            Check.Equal(whole, watch.NextAsync().Within().Data);
            Check.Equal(new { a = whole }, watch.Calls);
        }

        public void ChangesOfAnUnknownCallAreRepairedByASnapshot()
        {
            var watch = Watch(out var peer);
            peer.Greet(features: Changing);
            peer.Reply(peer.Read("events.subscribe"), Peer.Snapshot(4));
            peer.Send(Event(5, "call.changed", new { set = new { rev = 2 } }, call: "a"));
            peer.Reply(peer.Read("events.unsubscribe"), new { });
            peer.Reply(peer.Read("events.subscribe"), Peer.Snapshot(6, Call("a", 2)));
            Check.Equal("snapshot snapshot", Topics(watch, 2));
            Check.Equal("a", Names(watch));
        }

        public void TopicsWithoutANumberAreDelivered()
        {
            var watch = Watch(out var peer);
            var known = new { call = "a", rev = 1, allowed = new[] { "end" }, merge_with = new[] { "b" }, paused_tones = 1 };
            peer.GreetObserver(Peer.Snapshot(4, known));
            peer.Send(Event(4, "plugin.log", new { number = 1 }, 4), Event(4, "host.presence", new { }, 4),
                      Event(4, "call.quality", new { }, 4),
                      Event(4, "call.allowed_changed", new { call = "a", allowed = new string[0] }, 4));
            Check.Equal("snapshot plugin.log host.presence call.quality call.allowed_changed", Topics(watch, 5));
            Check.Equal(new { call = "a", rev = 1, allowed = new string[0] }, watch.Calls["a"]);
        }

        public void ASnapshotGoesOnWithPages()
        {
            var watch = Watch(out var peer);
            var first = Peer.Snapshot(1, Call("a", 1));
            first["snapshot"]["next"] = "n";
            peer.GreetObserver(first);
            var list = peer.Read("call.list");
            Check.Equal(new { after = "n" }, list["params"]);
            peer.Reply(list, new { calls = new[] { Call("b", 1) } });
            Check.Equal("snapshot", Topics(watch, 1));
            Check.Equal("a b", Names(watch));
        }

        public void AfterALostConnectionItGoesOnWhereItWas()
        {
            var watch = Watch(out var peer);
            peer.GreetObserver();
            peer.Send(Event(1, "call.added", Call("a", 1)));
            Check.Equal("snapshot call.added", Topics(watch, 2));
            peer.Close();
            peer = Broker.Accept();
            var subscribe = peer.GreetObserver(new { subscription = 1, epoch = "e", seq = 2 });
            Check.Equal(new { epoch = "e", seq = 1 }, subscribe["params"]["cursor"]);
            peer.Send(Event(2, "call.removed", new { call = "a" }));
            Check.Equal("call.removed", Topics(watch, 1));
            Check.Equal("", Names(watch));
        }

        public void WhatWasMissedIsMendedByANewSnapshot()
        {
            foreach (var mishap in new[] {
                new { method = "events.gap", @params = new { subscription = 1 } }, Event(9, "call.added", Call("x", 1)),
                Event(1, "call.added", Call("x", 1), epoch: "other") }) {
                var watch = Watch(out var peer);
                peer.GreetObserver();
                peer.Send(mishap);
                peer.Reply(peer.Read("events.unsubscribe"));
                var subscribe = peer.Read("events.subscribe");
                Check.Equal(null, subscribe["params"]["cursor"]);
                var again = Peer.Snapshot(9, Call("y", 1));
                again["subscription"] = 2;
                peer.Reply(subscribe, again);
                Check.Equal("snapshot snapshot", Topics(watch, 2));
                Check.Equal("y", Names(watch));
            }
        }

        public void ASnapshotThatIsRefusedIsRequestedInANewSession()
        {
            var watch = Watch(out var peer);
            peer.GreetObserver();
            peer.Send(new { method = "events.gap", @params = new { subscription = 1 } });
            peer.Read("events.unsubscribe");
            peer.Refuse(peer.Read("events.subscribe"), -32007);
            Broker.Accept().GreetObserver();
            Check.Equal("snapshot snapshot", Topics(watch, 2));
        }

        public void WhoeverDoesNotLookSeesAllAnewLater()
        {
            var watch = Watch(out var peer);
            var last = new Arrivals<string>();
            watch.On("x_last", given => last.Add("last"));
            peer.GreetObserver();
            for (var seq = 1; seq <= 10000; seq++) peer.Send(Event(seq, "call.changed", Call("a", seq)));
            peer.Send(Event(10001, "x_end", new { }), new { method = "x_last" });
            last.Next();
            Check.Equal("snapshot x_end", Topics(watch, 2));
            Check.Equal(Call("a", 10000), watch.Calls["a"]);
        }

        public void EventsWithoutSenseAreIgnored()
        {
            var watch = Watch(out var peer);
            peer.GreetObserver();
            peer.Send(Event(1, "call.added", new { call = 7 }), Event(2, "call.added", "x"), Event(3, "call.removed", 7),
                      Event(4, "call.allowed_changed", new { }), Event(5, "x_last", new { }));
            Topics(watch, 6);
            Check.Equal("", Names(watch));
        }

        public void WaitingEndsWithTheClient()
        {
            var watch = Watch(out var peer);
            peer.GreetObserver();
            Topics(watch, 1);
            var next = watch.NextAsync();
            watch.CloseAsync().Within();
            Check.Equal(null, next.Within());
            Check.Equal(null, watch.NextAsync().Within());
        }
    }
}
