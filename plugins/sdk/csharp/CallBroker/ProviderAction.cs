using System.Threading;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>Something that the broker asks a provider to do to a call.</summary>
    public sealed class ProviderAction
    {
        private readonly Provider provider;
        internal readonly CancellationTokenSource Source = new CancellationTokenSource();

        internal ProviderAction(Provider provider, JObject given)
        {
            this.provider = provider;
            Id = given.Text("action");
            Kind = given.Text("kind") ?? "";
            Call = given.Text("call") ?? "";
            Arguments = given.Member("arguments") ?? new JObject();
            Transaction = given.Text("transaction");
            Cause = given.Member("cause") ?? new JObject();
            DeadlineMs = given.Number("deadline_ms") ?? 0;
        }

        /// <summary>The id; the same id means the same action.</summary>
        public string Id { get; }
        /// <summary>The kind, such as answer.</summary>
        public string Kind { get; }
        /// <summary>The id of the call.</summary>
        public string Call { get; }
        /// <summary>The arguments, such as held.</summary>
        public JObject Arguments { get; }
        /// <summary>The id of the transaction.</summary>
        public string Transaction { get; }
        /// <summary>The origin, and what else is known of it.</summary>
        public JObject Cause { get; }
        /// <summary>The time for it, in milliseconds.</summary>
        public long DeadlineMs { get; }
        /// <summary>1, or higher when it was sent again after a lost connection.</summary>
        public long Attempt { get; internal set; } = 1;
        /// <summary>The time since it was requested, in milliseconds.</summary>
        public long AgeMs { get; internal set; }
        /// <summary>The id of the line that a start is placed on; null leaves that to the app.</summary>
        public string Line => Arguments.Text("line");
        /// <summary>Whether its time was over before it was done.</summary>
        public bool HasTimedOut { get; internal set; }
        /// <summary>Cancelled when the broker takes the action back, or its time is over.</summary>
        public CancellationToken Withdrawn => Source.Token;
        /// <summary>When it happened, if that was not just now: a Unix time in milliseconds.</summary>
        public long? HappenedAtMs { get; set; }

        /// <summary>Reports how far it is.</summary>
        /// <param name="phase">a word</param>
        /// <param name="percent">0 to 100</param>
        /// <param name="message">a line for people</param>
        /// <param name="extendMs">asks for more time, up to twice the deadline in all</param>
        public void ReportProgress(
            string phase = null, long? percent = null, string message = null, long? extendMs = null) =>
            provider.ReportProgress(this, new JObject().And("phase", phase).And("percent", percent)
                .And("message", message).And("extend_ms", extendMs));

        /// <summary>The id to answer to, in this connection.</summary>
        internal JToken Request;
        internal JObject Outcome;
    }
}
