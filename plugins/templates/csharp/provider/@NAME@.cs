// @TITLE@: a provider of calls. Somebody rings by writing a name to $XDG_RUNTIME_DIR/@NAME@.fifo.
using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO;
using System.Threading;
using CallBroker;
using Newtonsoft.Json.Linq;

static class Program
{
    static readonly Provider App = new Provider("@IDENTITY@", "@TITLE@", new { handle_types = new[] { "generic" } });

    // What the broker has to know of each call that lives.
    static readonly ConcurrentDictionary<string, JObject> Calls = new ConcurrentDictionary<string, JObject>();

    static void Main()
    {
        App.Perform("answer", action => Live(action)["state"] = "active"); // returning means: done
        App.Perform("end", action => Remove(Live(action).Text("call")));
        App.Perform("set_muted", action => { Live(action); });
        App.Reconcile(() => Calls.Values); // asked for in each new session
        App.Dropped += (_, ids) => {
            foreach (var call in ids) Remove(call);
        };
        App.On(Received.ProviderReset, _ => Calls.Clear());
        var bell = Bell();
        new Thread(() => {
            for (string who; (who = bell.ReadLine()) != null;) Ring(who.Length > 60 ? who.Substring(0, 60) : who);
        }) { IsBackground = true }.Start();
        App.RunAsync().GetAwaiter().GetResult(); // until the broker says: stop
    }

    static JObject Live(ProviderAction action) =>
        Calls.TryGetValue(action.Call, out var call) ? call : throw new FailedException("no_such_call");

    static void Remove(string call) => Calls.TryRemove(call, out _);

    static async void Ring(string who)
    {
        var call = Handle.NewId();
        Calls[call] = new JObject {
            { "call", call }, { "direction", "incoming" }, { "state", "ringing" },
            { "remote", Handle.Generic(who) }, { "supports_holding", false } };
        try {
            await App.CallReportIncomingAsync(call, Handle.Generic(who), supportsHolding: false);
        } catch (BrokerException) {
            Remove(call); // it may not ring
        } catch (DisconnectedException) { // the next session is told of it
        }
    }

    static StreamReader Bell()
    {
        var fifo = Path.Combine(Environment.GetEnvironmentVariable("XDG_RUNTIME_DIR") ?? "/tmp", "@NAME@.fifo");
        if (!File.Exists(fifo)) Process.Start("mkfifo", $"-m 600 \"{fifo}\"").WaitForExit();
        // Who also could write to it never reads its end.
        return new StreamReader(new FileStream(fifo, FileMode.Open, FileAccess.ReadWrite));
    }
}
