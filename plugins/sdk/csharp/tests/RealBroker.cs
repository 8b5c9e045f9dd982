using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>The broker itself, the program CALLBROKER, in a folder of its own. Its clock is the
    /// test's.</summary>
    internal sealed class RealBroker : IDisposable
    {
        private readonly string folder = Folder.New();
        private Process process;

        internal RealBroker()
        {
            Start();
        }

        internal string Path => System.IO.Path.Combine(folder, "broker.sock");

        internal ClientOptions Options => new ClientOptions {
            Socket = Path, FirstPause = TimeSpan.FromMilliseconds(1), LongestPause = TimeSpan.FromMilliseconds(10) };

        /// <summary>Serves, with the state that it had before if there was one.</summary>
        internal void Start()
        {
            process = Process.Start(new ProcessStartInfo(
                Environment.GetEnvironmentVariable("CALLBROKER") ?? "callbroker",
                $"serve --test-mode --socket {Path} --state-dir {folder}/state") {
                UseShellExecute = false, RedirectStandardError = true });
            var listening = new Arrivals<bool>();
            process.ErrorDataReceived += (_, line) => {
                if (line.Data == null || line.Data.Contains("listening on ")) listening.Add(line.Data != null);
            };
            process.BeginErrorReadLine();
            Check.True(listening.Next(), "the broker serves");
        }

        /// <summary>As a crash would.</summary>
        internal void Kill()
        {
            process.Kill();
            process.WaitForExit();
        }

        public void Dispose()
        {
            Kill();
            System.IO.Directory.Delete(folder, true);
        }
    }

    /// <summary>A broker, a user, and providers that write down what they are asked for.</summary>
    public abstract class Staged : IDisposable
    {
        internal readonly RealBroker Broker = new RealBroker();
        internal readonly Arrivals<string> Performed = new Arrivals<string>();
        internal static readonly JObject Ann = Handle.Phone("+15550100");
        internal readonly Admin User;
        private readonly List<Client> clients = new List<Client>();

        protected Staged()
        {
            User = Enter(new Admin("user", Broker.Options));
        }

        internal T Enter<T>(T client) where T : Client
        {
            clients.Add(client);
            client.OpenAsync().Within();
            return client;
        }

        internal Provider Provider(string name, object more = null)
        {
            var app = new Provider(name, name, Members.From(more).And("handle_types", new[] { "phone" }), Broker.Options);
            foreach (var kind in new[] { "start", "answer", "end", "set_held", "set_muted", "set_group" }) {
                app.Perform(kind, action => Performed.Add($"{name} {kind}"));
            }
            return app;
        }

        internal string Incoming(Provider app, object more = null)
        {
            var call = Handle.NewId();
            app.RequestAsync("call.report_incoming", Members.From(more).And("call", call).And("remote", Ann)).Within();
            return call;
        }

        internal void Done(Task<JObject> request) => Check.Equal("completed", request.Within()["state"]);

        public void Dispose()
        {
            foreach (var client in clients) client.CloseAsync().Within();
            Broker.Dispose();
        }
    }
}
