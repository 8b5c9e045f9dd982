using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using CallBroker;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>The broker's end of one connection, which does what the test says.</summary>
    internal sealed class Peer
    {
        internal const string Call = "11111111-1111-4111-8111-111111111111";
        internal const string Action = "33333333-3333-4333-8333-333333333333";
        internal static readonly JObject Session = JObject.Parse(
            "{'session': '1b4e28ba-2fa1-4d2b-883f-0016d3cca427', 'secret': 's3cret'}");

        private readonly Socket socket;
        private readonly Arrivals<string> lines = new Arrivals<string>();

        internal Peer(Socket socket)
        {
            this.socket = socket;
            new Thread(() => {
                using (var reader = new StreamReader(new NetworkStream(socket), Encoding.UTF8)) {
                    try {
                        for (string line; (line = reader.ReadLine()) != null;) lines.Add(line);
                    } catch (Exception error) when (error is IOException || error is ObjectDisposedException) {
                    }
                }
                lines.Add(null);
            }) { IsBackground = true }.Start();
        }

        internal JObject Read(string method = null)
        {
            var line = lines.Next();
            Check.True(line != null, "the client has not closed");
            var frame = JObject.Parse(line);
            if (method != null) Check.Equal(method, frame["method"]);
            return frame;
        }

        internal void ReadEnd()
        {
            while (lines.Next() != null) {
            }
        }

        internal void Raw(string text)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            for (var at = 0; at < bytes.Length;) at += socket.Send(bytes, at, bytes.Length - at, SocketFlags.None);
        }

        internal void Send(params object[] frames) =>
            Raw(string.Concat(frames.Select(frame => Encoded(frame) + "\n")));

        internal static string Encoded(object frame)
        {
            var whole = JObject.FromObject(frame);
            whole["jsonrpc"] = "2.0";
            return whole.ToString(Formatting.None);
        }

        internal void Reply(JObject request, object result = null) =>
            Send(new { id = request["id"], result = result ?? new { } });

        internal void Refuse(JObject request, int code, object data = null) =>
            Send(new { id = request["id"], error = new { code, message = "no", data = data ?? new { } } });

        internal JObject Greet(object session = null, object denied = null, object features = null)
        {
            var hello = Read("broker.hello");
            Reply(hello, new {
                protocol = 1, session = session ?? Session, granted_roles = hello["params"]["roles"],
                denied_roles = denied ?? new object[0], limits = new { frame_bytes = 65536 }, epoch = "e",
                seq = 0, features = features ?? new { } });
            return hello;
        }

        internal JObject GreetProvider(object result = null)
        {
            Greet();
            var register = Read("provider.register");
            Reply(register, result ?? new { provider = "org.example.a", calls = new string[0], dropped = new string[0] });
            return register;
        }

        internal JObject GreetObserver(object result = null)
        {
            Greet();
            var subscribe = Read("events.subscribe");
            Reply(subscribe, result ?? Snapshot(0));
            return subscribe;
        }

        internal static JObject Snapshot(long seq, params object[] calls) => JObject.FromObject(
            new { subscription = 1, epoch = "e", seq, snapshot = new { calls } });

        internal void Perform(object id, string kind = "answer", string action = Action, int attempt = 1) =>
            Send(new { id, method = "provider.perform", @params = new {
                action, kind, call = Call, arguments = new { }, transaction = "t",
                cause = new { origin = "user" }, deadline_ms = 5000, attempt } });

        /// <summary>Ends the stream, after all that was sent.</summary>
        internal void End() => socket.Shutdown(SocketShutdown.Send);

        internal void Close() => socket.Close();
    }

    /// <summary>Listens in a folder of its own: a real socket, and a far side that is the test's own.</summary>
    internal sealed class ScriptedBroker : IDisposable
    {
        private readonly string folder = Folder.New();
        private readonly Socket socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        private readonly List<Peer> peers = new List<Peer>();

        internal string Path => System.IO.Path.Combine(folder, "broker.sock");

        internal ScriptedBroker Listen()
        {
            socket.Bind(new UnixEndPoint(Path));
            socket.Listen(8);
            return this;
        }

        internal Peer Accept()
        {
            if (!socket.Poll((int)Check.Ceiling.TotalMilliseconds * 1000, SelectMode.SelectRead)) {
                throw new TimeoutException("no client comes");
            }
            var peer = new Peer(socket.Accept());
            peers.Add(peer);
            return peer;
        }

        internal ClientOptions Options => new ClientOptions {
            Socket = Path, FirstPause = TimeSpan.Zero, LongestPause = TimeSpan.Zero };

        public void Dispose()
        {
            peers.ForEach(peer => peer.Close());
            socket.Close();
            System.IO.Directory.Delete(folder, true);
        }
    }

    internal static class Folder
    {
        internal static string New()
        {
            var path = Path.Combine(Path.GetTempPath(), "callbroker-csharp-" + Guid.NewGuid().ToString("N").Substring(0, 12));
            System.IO.Directory.CreateDirectory(path);
            return path;
        }
    }

    /// <summary>A broker of the test's own, and a client that connects to it.</summary>
    public abstract class Scripted : IDisposable
    {
        internal readonly ScriptedBroker Broker = new ScriptedBroker().Listen();
        private readonly List<Client> clients = new List<Client>();

        internal Peer Enter(Client client)
        {
            clients.Add(client);
            client.OpenAsync(true).ContinueWith(task => task.Exception);
            return Broker.Accept();
        }

        public void Dispose()
        {
            foreach (var client in clients) client.CloseAsync().Within();
            Broker.Dispose();
        }
    }
}
