using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>Performs a request of the broker: is called with its params, and with a token that is
    /// cancelled when its answer is no longer wanted. The result is what it returns.</summary>
    public delegate Task<JObject> RequestHandler(JObject members, CancellationToken cancellation);

    public partial class Client
    {
        private const int FrameBytes = 65536; // of what is sent, the line feed included

        /// <summary>A request whose reply has not come.</summary>
        private sealed class Pending
        {
            internal string Method;
            internal JObject Members;
            internal TaskCompletionSource<JObject> Reply = Source<JObject>();
            internal Action<JObject> Then;
            internal CancellationToken Cancellation;
            internal TimeSpan? Timeout;
            internal Timer Timer;
            internal CancellationTokenRegistration Registration;

            internal void Release()
            {
                Timer?.Dispose();
                Registration.Dispose();
            }
        }

        private readonly Dictionary<long, Pending> pending = new Dictionary<long, Pending>();
        private readonly Dictionary<string, CancellationTokenSource> serving =
            new Dictionary<string, CancellationTokenSource>();
        private readonly Dictionary<string, RequestHandler> handlers = new Dictionary<string, RequestHandler>();
        private readonly Dictionary<string, List<Action<JObject>>> listeners =
            new Dictionary<string, List<Action<JObject>>>();
        private List<Pending> backlog = new List<Pending>(); // requests that wait for the session
        private Connection connection;
        private long requests;

        // -- Requests

        /// <summary>Sends a request, and returns its result. While a session is being opened requests wait
        /// for it. Cancelling takes the request back; the broker may have executed it already.</summary>
        /// <param name="method">its name on the wire: `callbroker methods` lists them, and
        /// <see cref="Requests"/> has a method for each</param>
        /// <param name="members">its params, such as <c>new { call }</c></param>
        /// <param name="cancellation">takes it back</param>
        /// <param name="timeout">the time for it; that of the options if null</param>
        /// <exception cref="BrokerException">the broker refuses</exception>
        /// <exception cref="DisconnectedException">there is no connection, or it was lost</exception>
        /// <exception cref="TimeoutException">there was no reply in time</exception>
        public Task<JObject> RequestAsync(
            string method, object members = null, CancellationToken cancellation = default(CancellationToken),
            TimeSpan? timeout = null)
        {
            var request = new Pending {
                Method = method, Members = Members.From(members), Cancellation = cancellation,
                Timeout = timeout ?? Options.Timeout };
            turns.Post(() => StartWhenReady(request));
            return request.Reply.Task;
        }

        /// <summary>Sends a notification; without a connection it is dropped.</summary>
        public void Notify(string method, object members = null)
        {
            var given = Members.From(members);
            turns.Post(() => SendNotification(method, given));
        }

        /// <summary>Sends a request that opens the session. Its reply is given to <c>then</c> before any
        /// later frame is looked at.</summary>
        internal Task<JObject> OpeningAsync(string method, JObject members, Action<JObject> then = null)
        {
            var request = new Pending {
                Method = method, Members = members, Then = then, Timeout = Options.OpeningTimeout };
            Start(request);
            return request.Reply.Task;
        }

        private void StartWhenReady(Pending request)
        {
            if (connection != null && MustWait(request.Method)) backlog.Add(request);
            else Start(request);
        }

        internal virtual bool MustWait(string method) => !IsConnected;

        internal void CatchUp()
        {
            var waiting = backlog;
            backlog = new List<Pending>();
            foreach (var request in waiting) StartWhenReady(request);
        }

        private void Start(Pending request)
        {
            if (request.Cancellation.IsCancellationRequested) {
                request.Reply.TrySetCanceled();
                return;
            }
            var number = ++requests;
            try {
                Send(new JObject { { "id", number }, { "method", request.Method }, { "params", request.Members } });
            } catch (Exception error) {
                request.Reply.TrySetException(error);
                return;
            }
            pending[number] = request;
            request.Registration = request.Cancellation.Register(
                () => turns.Post(() => TakeBack(number, reply => reply.TrySetCanceled())));
            if (request.Timeout is TimeSpan time) {
                var late = new TimeoutException($"no reply to {request.Method} in {time}");
                request.Timer = new Timer(_ => turns.Post(() => TakeBack(number, reply => reply.TrySetException(late))),
                                          null, time, Timeout.InfiniteTimeSpan);
            }
        }

        private void TakeBack(long number, Action<TaskCompletionSource<JObject>> finish)
        {
            if (!pending.TryGetValue(number, out var request)) return;
            pending.Remove(number);
            request.Release();
            SendNotification("broker.cancel", Members.Of("request", number));
            finish(request.Reply);
        }

        internal void SendNotification(string method, JObject members)
        {
            if (connection == null) return;
            try {
                Send(new JObject { { "method", method }, { "params", members } });
            } catch (BrokerException) when (connection.IsFull) { // who does not read does not miss it
            } catch (Exception error) {
                Raise(() => throw error);
            }
        }

        private void Send(JObject frame)
        {
            frame.AddFirst(new JProperty("jsonrpc", "2.0"));
            var line = Members.Line(frame);
            var most = Hello.Member("limits").Number("frame_bytes") ?? FrameBytes;
            if (line.Length > most) {
                throw new BrokerException(-32011, "the frame is too long to be sent", "frame_bytes",
                                          new JObject { { "name", "frame_bytes" }, { "value", most } });
            }
            if (connection == null) throw new DisconnectedException("not connected");
            if (connection.IsFull) throw new BrokerException(-32012, "the broker does not read", "pending");
            connection.Write(line);
        }

        internal virtual void Disconnect()
        {
            IsConnected = false;
            connection = null;
            var lost = new List<Pending>(pending.Values);
            lost.AddRange(backlog);
            pending.Clear();
            backlog = new List<Pending>();
            foreach (var request in lost) {
                request.Release();
                request.Reply.TrySetException(new DisconnectedException("connection lost"));
            }
            foreach (var one in serving.Values) Cancel(one);
            serving.Clear();
        }

        /// <summary>Cancels elsewhere: what is registered for it may block.</summary>
        internal void Cancel(CancellationTokenSource source) => Task.Run(() => {
            try {
                source.Cancel();
            } catch (Exception error) {
                Raise(() => throw error);
            }
        });

        // -- Frames

        /// <summary>Nothing that comes in may end the session.</summary>
        private void Receive(string line)
        {
            try {
                if (Members.Parse(line) is JObject frame) Dispatch(frame);
            } catch (Exception error) {
                Raise(() => throw error);
            }
        }

        private void Dispatch(JObject frame)
        {
            var method = frame.Text("method");
            var members = frame.Member("params") ?? new JObject();
            if (method == null) Replied(frame);
            else if (frame["id"] == null) Notified(method, members);
            else Requested(frame["id"], method, members);
        }

        private void Replied(JObject frame)
        {
            // Late, repeated and unasked ones are ignored.
            if (!(frame.Number("id") is long number) || !pending.TryGetValue(number, out var request)) return;
            pending.Remove(number);
            request.Release();
            if (frame["error"] != null) {
                request.Reply.TrySetException(new BrokerException(frame["error"]));
                return;
            }
            try {
                var result = frame.Member("result") ?? new JObject();
                request.Then?.Invoke(result);
                request.Reply.TrySetResult(result);
            } catch (Exception error) {
                request.Reply.TrySetException(error);
            }
        }

        /// <summary>Performs a kind of request of the broker, such as screener.check.</summary>
        public void Handle(string method, RequestHandler handler) =>
            turns.Post(() => handlers[method] = handler);

        /// <summary>Calls back with the params of each notification of that name.</summary>
        public void On(string method, Action<JObject> listener) => turns.Post(() => {
            if (!listeners.TryGetValue(method, out var list)) listeners[method] = list = new List<Action<JObject>>();
            list.Add(listener);
        });

        internal virtual void Requested(JToken id, string method, JObject members)
        {
            if (method == "broker.ping") {
                Answer(id, Members.Of("result", new JObject().And("payload", members["payload"])));
            } else if (!handlers.TryGetValue(method, out var handler)) {
                Answer(id, FailedException.Unsupported(method));
            } else {
                Serve(id, source => OutcomeAsync(() => handler(members, source.Token), source.Token));
            }
        }

        private async void Serve(JToken id, Func<CancellationTokenSource, Task<JObject>> work)
        {
            var source = new CancellationTokenSource();
            var key = Key(id);
            serving[key] = source;
            var outcome = await work(source);
            if (Finished(key, source)) Answer(id, outcome);
        }

        private bool Finished(string key, CancellationTokenSource source) =>
            serving.TryGetValue(key, out var current) && current == source && serving.Remove(key);

        internal static string Key(JToken id) => id.ToString(Formatting.None);

        /// <summary>Answers, also with what cannot be sent: every request has exactly one answer.</summary>
        internal virtual void Answer(JToken id, JObject outcome)
        {
            if (connection == null) return;
            try {
                Send(new JObject { { "id", id } }.With(outcome));
            } catch (Exception error) {
                if (!connection.IsFull) Raise(() => throw error);
                AnswerBroken(id);
            }
        }

        private void AnswerBroken(JToken id)
        {
            try {
                Send(new JObject { { "id", id } }.With(FailedException.Broken));
            } catch (Exception) {
                connection.Close(); // who does not read asks again
            }
        }

        /// <summary>Returns the members of an answer: what a handler of the program makes of it.</summary>
        internal async Task<JObject> OutcomeAsync(Func<Task<JObject>> work, CancellationToken cancellation)
        {
            try {
                var result = await InvokeAsync(() => {
                    cancellation.ThrowIfCancellationRequested();
                    return work();
                });
                return Members.Of("result", result ?? new JObject());
            } catch (FailedException failure) {
                return failure.Outcome;
            } catch (Exception error) {
                if (cancellation.IsCancellationRequested) return FailedException.Cancelled;
                Raise(() => throw error);
                return FailedException.Broken;
            }
        }

        /// <summary>Runs what the program has, where it wants to be called. What it sends meanwhile is
        /// sent before its answer.</summary>
        internal Task<JObject> InvokeAsync(Func<Task<JObject>> work)
        {
            var done = Source<JObject>();
            context.Post(async _ => {
                try {
                    var result = await work();
                    turns.Post(() => done.TrySetResult(result));
                } catch (Exception error) {
                    turns.Post(() => done.TrySetException(error));
                }
            }, null);
            return done.Task;
        }

        internal virtual void Notified(string method, JObject members)
        {
            if (method == "broker.cancel") Cancelled(members);
            else if (method == "broker.goodbye") Dismissed(members);
            if (listeners.TryGetValue(method, out var list)) {
                foreach (var listener in list) Raise(() => listener(members));
            }
            if (NotificationReceived is EventHandler<NotificationEventArgs> received) {
                Raise(() => received(this, new NotificationEventArgs(method, members)));
            }
        }

        internal virtual void Cancelled(JObject members)
        {
            if (members["request"] is JToken id && serving.TryGetValue(Key(id), out var source)) Cancel(source);
        }

        /// <summary>Does something with what the client has, in order with all that is received.</summary>
        internal void Post(Action work) => turns.Post(work);
    }
}
