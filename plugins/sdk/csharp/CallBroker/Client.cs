using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

[assembly: System.Runtime.CompilerServices.InternalsVisibleTo("tests")]
[assembly: System.Runtime.CompilerServices.InternalsVisibleTo("CallKit")]

namespace CallBroker
{
    /// <summary>What a client may be given besides its name.</summary>
    public sealed class ClientOptions
    {
        /// <summary>A stable name such as org.example.phone; providers and plugins need one.</summary>
        public string Identity { get; set; }
        /// <summary>The version of the program.</summary>
        public string Version { get; set; } = "0";
        /// <summary>The address of the program's home page.</summary>
        public string Url { get; set; }
        /// <summary>A credential of grant.issue, for another user's broker or from a container.</summary>
        public string Credential { get; set; }
        /// <summary>What the program understands beyond the first version of the protocol.</summary>
        public IReadOnlyList<string> Features { get; set; }
        /// <summary>The roles; those of the class if null.</summary>
        public IReadOnlyList<string> Roles { get; set; }
        /// <summary>The path of the socket; the default one if null.</summary>
        public string Socket { get; set; }
        /// <summary>Whether standard input and output are the connection: for a plugin with
        /// "transport": "stdio". The console then writes to standard error, the plugin's log.</summary>
        public bool UsesStandardStreams { get; set; }
        /// <summary>The time for each request, after which it is cancelled; unlimited if null.</summary>
        public TimeSpan? Timeout { get; set; }
        /// <summary>The time for each request that opens a session.</summary>
        public TimeSpan OpeningTimeout { get; set; } = TimeSpan.FromSeconds(10);
        /// <summary>The pause before a new try, which doubles up to the longest.</summary>
        public TimeSpan FirstPause { get; set; } = TimeSpan.FromMilliseconds(100);
        /// <summary>The longest pause.</summary>
        public TimeSpan LongestPause { get; set; } = TimeSpan.FromSeconds(5);
        /// <summary>Where events are raised and handlers called, one after another. That of the
        /// constructor's caller if null, and if that has none one of the client's own.</summary>
        public SynchronizationContext Context { get; set; }
    }

    /// <summary>A notification of the broker.</summary>
    public sealed class NotificationEventArgs : EventArgs
    {
        internal NotificationEventArgs(string method, JObject members)
        {
            Method = method;
            Params = members;
        }

        /// <summary>Its name, such as audio.activated.</summary>
        public string Method { get; }
        /// <summary>Its params.</summary>
        public JObject Params { get; }
    }

    /// <summary>A connection to the broker that opens a session, and renews it when it is lost. All methods
    /// may be called from any thread.</summary>
    public partial class Client : IDisposable
    {
        private static readonly string[] ObserverRoles = { "observer" };

        private readonly Turns turns = new Turns();
        private readonly SynchronizationContext context;
        private readonly TaskCompletionSource<bool> up = Source<bool>(), over = Source<bool>();
        private CancellationTokenSource pausing = new CancellationTokenSource();
        private bool isBegun, isClosed, wasReady;
        private TimeSpan retryAfter;

        /// <summary>Creates a client, which does nothing before <see cref="OpenAsync"/>.</summary>
        /// <param name="name">of the program, for logs and lists</param>
        /// <param name="options">what else there is to say</param>
        public Client(string name, ClientOptions options = null)
        {
            Name = name;
            Options = options ?? new ClientOptions();
            context = Options.Context ?? SynchronizationContext.Current ?? new Turns();
        }

        /// <summary>The name of the program.</summary>
        public string Name { get; }
        /// <summary>The options.</summary>
        public ClientOptions Options { get; }
        /// <summary>The broker's reply to the latest hello: limits, options, granted_roles, ...</summary>
        public JObject Hello { get; private set; } = new JObject();
        /// <summary>Whether a session is open.</summary>
        public bool IsConnected { get; private set; }
        /// <summary>Ends when the client is over: with the error that ended it, or without.</summary>
        public Task Completion => over.Task;

        /// <summary>Raised with each session.</summary>
        public event EventHandler Opened;
        /// <summary>Raised when a session is lost and is to be renewed.</summary>
        public event EventHandler<Exception> Lost;
        /// <summary>Raised when a handler throws anything but <see cref="FailedException"/>; without a
        /// handler it is written to standard error.</summary>
        public event EventHandler<Exception> Faulted;
        /// <summary>Raised with each notification.</summary>
        public event EventHandler<NotificationEventArgs> NotificationReceived;

        /// <summary>The roles that the class has.</summary>
        protected virtual IReadOnlyList<string> ClassRoles => ObserverRoles;

        private IReadOnlyList<string> Roles => Options.Roles ?? ClassRoles;

        /// <summary>Opens a session. Fails if there is no broker, or waits for one if it is patient. Later
        /// sessions are opened without being asked for. Cancelling it closes the client.</summary>
        public async Task OpenAsync(
            bool patient = false, CancellationToken cancellation = default(CancellationToken))
        {
            turns.Post(() => {
                if (isBegun) return;
                isBegun = true;
                LiveAsync(patient).ContinueWith(life => Raise(() => throw life.Exception),
                                                TaskContinuationOptions.OnlyOnFaulted);
            });
            using (cancellation.Register(() => CloseAsync())) await up.Task.ConfigureAwait(false);
        }

        /// <summary>Says goodbye and ends.</summary>
        /// <param name="resumable">whether the program comes back soon: a provider's calls wait for it as
        /// long as its grace lasts</param>
        public Task CloseAsync(bool resumable = false)
        {
            turns.Post(() => Close(resumable));
            return over.Task.ContinueWith(_ => { }, TaskContinuationOptions.ExecuteSynchronously);
        }

        /// <summary>Says goodbye without waiting for the end.</summary>
        public void Dispose() => CloseAsync();

        /// <summary>Runs until the broker says goodbye for good, or the token is cancelled; waits for a
        /// broker that is not running yet.</summary>
        public async Task RunAsync(CancellationToken cancellation = default(CancellationToken))
        {
            using (cancellation.Register(() => CloseAsync())) {
                try {
                    await OpenAsync(true).ConfigureAwait(false);
                } catch (DisconnectedException) when (cancellation.IsCancellationRequested) {
                }
                await Completion.ConfigureAwait(false);
            }
        }

        private void Close(bool resumable)
        {
            isClosed = true;
            if (connection != null) HangUp(resumable);
            pausing.Cancel();
            if (!isBegun) End(null);
        }

        // -- Sessions

        private async Task LiveAsync(bool patient)
        {
            Exception reason = null;
            try {
                await SessionsAsync(patient);
            } catch (Exception error) {
                reason = error;
            }
            End(reason);
        }

        private void End(Exception reason)
        {
            isBegun = isClosed = true;
            Disconnect();
            up.TrySetException(reason ?? new DisconnectedException("closed"));
            OnEnded();
            if (reason == null) over.TrySetResult(true);
            else over.TrySetException(reason);
            foreach (var task in new Task[] { up.Task, over.Task }) GC.KeepAlive(task.Exception); // is observed
        }

        private async Task SessionsAsync(bool patient)
        {
            var wasOpen = false;
            for (var tries = 0; !isClosed; tries++) {
                var error = await SessionAsync();
                if (wasReady) (tries, wasOpen) = (0, true);
                if (isClosed) return;
                if (IsHopeless(error) || !(patient || wasOpen)) throw error;
                if (Options.UsesStandardStreams) return;
                Raise(() => Lost?.Invoke(this, error));
                await PauseAsync(tries);
            }
        }

        private static bool IsHopeless(Exception error)
        {
            if (error is BrokerException refusal) return !refusal.IsPassing;
            return !(error is IOException || error is TimeoutException
                     || error is System.Net.Sockets.SocketException || error is ObjectDisposedException);
        }

        private async Task PauseAsync(int tries)
        {
            var pause = Pause(tries, Options.FirstPause, Options.LongestPause, Chance.NextDouble());
            try {
                await Task.Delay(pause > retryAfter ? pause : retryAfter, pausing.Token);
            } catch (OperationCanceledException) { // it is closed
            }
        }

        private static readonly Random Chance = new Random();

        /// <summary>A doubling pause, and a fifth more or less so that not all come back at once.</summary>
        internal static TimeSpan Pause(int tries, TimeSpan first, TimeSpan longest, double chance)
        {
            var doubled = first.TotalMilliseconds * Math.Pow(2, Math.Min(tries, 16));
            return TimeSpan.FromMilliseconds(
                Math.Min(doubled, longest.TotalMilliseconds) * (0.8 + 0.4 * chance));
        }

        /// <summary>One connection from its first byte to its last; the reason of its end.</summary>
        private async Task<Exception> SessionAsync()
        {
            retryAfter = TimeSpan.Zero;
            wasReady = false;
            var ended = Source<Exception>();
            Connection opened;
            try {
                opened = await ConnectAsync();
            } catch (Exception error) {
                return error;
            }
            connection = opened;
            opened.Read(turns, Receive, reason => {
                if (connection == opened) Disconnect();
                ended.TrySetResult(reason);
            });
            try {
                if (isClosed) throw new DisconnectedException("closed");
                await GreetAsync();
                if (connection == opened) Begin();
            } catch (Exception error) {
                if (connection != opened) return await ended.Task; // that says more
                HangUp(true);
                await ended.Task;
                return error;
            }
            return await ended.Task;
        }

        private Task<Connection> ConnectAsync()
        {
            if (!Options.UsesStandardStreams) {
                return Connection.ToAsync(Options.Socket ?? UnixEndPoint.DefaultPath());
            }
            var standard = new Connection(Console.OpenStandardInput(), Console.OpenStandardOutput());
            Console.SetOut(Console.Error);
            return Task.FromResult(standard);
        }

        private async Task GreetAsync()
        {
            var session = Hello.Member("session");
            var hello = new JObject {
                { "protocol", new JObject { { "min", 1 }, { "max", 1 } } },
                { "client", Members.Of("name", Name).And("version", Options.Version).And("url", Options.Url) },
                { "roles", JArray.FromObject(Roles) } };
            hello.And("identity", Options.Identity).And("credential", Options.Credential)
                .And("features", Options.Features);
            if (session != null && Roles[0] == "provider") {
                hello["resume"] = Members.Of("session", session.Text("session"))
                    .And("secret", session.Text("secret"));
            }
            Hello = await OpeningAsync("broker.hello", hello);
            foreach (var denied in Hello.List("denied_roles")) {
                if ((denied as JObject).Text("role") != Roles[0]) continue;
                throw new BrokerException(-32003, $"no {Roles[0]} here", (denied as JObject).Text("reason"));
            }
            await OnOpenedAsync();
        }

        /// <summary>What a kind of client does first in a new session.</summary>
        internal virtual Task OnOpenedAsync() => Task.CompletedTask;

        /// <summary>Nothing will come any more.</summary>
        internal virtual void OnEnded()
        {
        }

        private void Begin()
        {
            IsConnected = wasReady = true;
            CatchUp();
            up.TrySetResult(true);
            Raise(() => Opened?.Invoke(this, EventArgs.Empty));
        }

        /// <summary>Says goodbye, and gives the broker a moment to read it.</summary>
        private void HangUp(bool resumable)
        {
            var former = connection;
            SendNotification("broker.goodbye",
                             new JObject { { "reason", "closed" }, { "resumable", resumable } });
            former.CloseSoon();
        }

        private void Dismissed(JObject goodbye)
        {
            var after = goodbye.Number("reconnect_after_ms");
            retryAfter = TimeSpan.FromMilliseconds(after > 0 && after <= 600000 ? after.Value : 0);
            if ((goodbye["resumable"] as JValue)?.Value is bool stays && !stays) Hello.Remove("session");
            var reason = goodbye.Text("reason");
            if (reason == "superseded" || reason == "stop") Close(false); // another of us, or nobody, goes on
        }

        /// <summary>Drops the connection; a new session begins anew.</summary>
        internal void Reconnect() => connection?.Close();

        // -- What belongs to the program

        /// <summary>Calls what the program has, where it wants to be called.</summary>
        internal void Raise(Action work) => context.Post(_ => {
            try {
                work();
            } catch (Exception error) {
                Fault(error);
            }
        }, null);

        internal void Fault(Exception error)
        {
            var listeners = Faulted;
            if (listeners == null) Console.Error.WriteLine(error);
            else listeners(this, error);
        }

        internal static TaskCompletionSource<T> Source<T>() =>
            new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
