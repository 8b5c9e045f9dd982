using System;
using System.Collections.Generic;
using System.IO;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>An error reply of the broker. Decide by <see cref="Name"/> and <see cref="Reason"/>; the
    /// message is for people.</summary>
    public sealed class BrokerException : Exception
    {
        /// <summary>The names of the broker's codes.</summary>
        public static readonly IReadOnlyDictionary<int, string> Names = new Dictionary<int, string> {
            { -32700, "parse_error" }, { -32600, "invalid_request" }, { -32601, "method_not_found" },
            { -32602, "invalid_params" }, { -32603, "internal" }, { -32000, "broker_error" },
            { -32002, "hello_required" }, { -32003, "permission_denied" }, { -32004, "not_found" },
            { -32005, "already_exists" }, { -32006, "invalid_state" }, { -32007, "limit_reached" },
            { -32008, "filtered" }, { -32009, "deadline_exceeded" }, { -32010, "cancelled" },
            { -32011, "frame_limit" }, { -32012, "overloaded" }, { -32013, "provider_failed" },
            { -32014, "provider_gone" }, { -32015, "version_unsupported" }, { -32018, "stopping" },
        };

        internal BrokerException(JToken error) : base((error as JObject).Text("message") ?? "")
        {
            var given = error as JObject;
            var code = given.Number("code");
            Code = code >= int.MinValue && code <= int.MaxValue ? (int)code : -32000;
            Data = given.Member("data") ?? new JObject();
        }

        internal BrokerException(int code, string message, string reason, JObject more = null)
            : this(new JObject { { "code", code }, { "message", message },
                                 { "data", Members.Of("reason", reason).And("limit", more) } })
        {
        }

        /// <summary>The code of the wire.</summary>
        public int Code { get; }

        /// <summary>The name of the code, such as invalid_state.</summary>
        public string Name => Names.TryGetValue(Code, out var name) ? name : "broker_error";

        /// <summary>The members of the error: blocking, limit, hint, provider_error, ...</summary>
        public new JObject Data { get; }

        /// <summary>A stable word, such as cannot_hold.</summary>
        public string Reason => Data.Text("reason") ?? "";

        /// <summary>Whether the same request may succeed later.</summary>
        public bool IsRetryable => Data.Flag("retryable");

        /// <summary>Whether a new session may succeed where this one was refused.</summary>
        internal bool IsPassing =>
            IsRetryable || Name == "already_exists" || Name == "overloaded" || Name == "stopping";

        /// <inheritdoc/>
        public override string ToString() => $"{Name} ({Reason}): {base.ToString()}";
    }

    /// <summary>There is no connection, or it was lost before the reply. The request may have been
    /// executed.</summary>
    public sealed class DisconnectedException : IOException
    {
        internal DisconnectedException(string message) : base(message)
        {
        }
    }

    /// <summary>Thrown by a handler to refuse what was requested.</summary>
    public sealed class FailedException : Exception
    {
        /// <summary>Creates a refusal. Of a start or an answer that fails these are the end_detail of
        /// its call.</summary>
        /// <param name="reason">a word in snake_case</param>
        /// <param name="message">a line for people</param>
        /// <param name="code">the code of the wire</param>
        /// <param name="appCode">the code of the app's protocol or network, such as "SIP 486"</param>
        public FailedException(
            string reason = "unspecified", string message = null, int code = -32000, string appCode = null)
            : base(message ?? (reason == "unspecified" ? appCode : null) ?? reason.Replace('_', ' '))
        {
            Reason = reason;
            Code = code;
            AppCode = appCode;
            text = message ?? "";
        }

        private readonly string text;

        /// <summary>The word.</summary>
        public string Reason { get; }

        /// <summary>The code of the wire.</summary>
        public int Code { get; }

        /// <summary>The code of the app's protocol or network.</summary>
        public string AppCode { get; }

        internal JObject Outcome => Of(Reason, text, Code, AppCode);

        internal static JObject Of(string reason, string message, int code, string appCode = null) =>
            Members.Of("error", new JObject {
                { "code", code }, { "message", message },
                { "data", Members.Of("reason", reason).And("app_code", appCode) } });

        internal static JObject Unsupported(string name) =>
            Of("not_supported", $"{Word(name)} is not supported", -32601);

        /// <summary>What a peer sends goes into a message only if it looks like a name.</summary>
        private static string Word(string name)
        {
            foreach (var letter in name) {
                if (letter != '.' && letter != '_' && !(letter >= 'a' && letter <= 'z')) return "this";
            }
            return name.Length <= 64 ? name : "this";
        }

        internal static readonly JObject Broken = Of("internal", "the handler failed", -32603);
        internal static readonly JObject Cancelled = Of("cancelled", "cancelled", -32010);
    }
}
