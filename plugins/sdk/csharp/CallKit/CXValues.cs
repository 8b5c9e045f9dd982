using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using CallBroker;
using Foundation;
using Newtonsoft.Json.Linq;

namespace CallKit
{
    /// <summary>The kind of an address.</summary>
    public enum CXHandleType
    {
        /// <summary>Any address.</summary>
        Generic = 1,
        /// <summary>A number.</summary>
        PhoneNumber = 2,
        /// <summary>An email address.</summary>
        EmailAddress = 3,
    }

    /// <summary>The address of the other side.</summary>
    public class CXHandle : NSObject
    {
        private static readonly string[] Types = { null, "generic", "phone", "email" };

        /// <summary>Makes an address.</summary>
        public CXHandle(CXHandleType type, string value)
        {
            Type = type;
            Value = value;
        }

        /// <summary>Its kind.</summary>
        public CXHandleType Type { get; }
        /// <summary>The number or address.</summary>
        public string Value { get; }

        internal static string Word(CXHandleType type) => Types[(int)type];

        internal JObject Json => new JObject {
            { "type", Word(Type) }, { "value", string.IsNullOrEmpty(Value) ? "unknown" : Value } };

        internal static CXHandle Of(JObject handle) => new CXHandle(
            (CXHandleType)Math.Max(1, Array.IndexOf(Types, handle.Text("type") ?? "")), handle.Text("value") ?? "");
    }

    /// <summary>New values of a call's properties. Only those that were set are sent.</summary>
    public class CXCallUpdate : NSObject
    {
        private const int NameBytes = 128;
        private CXHandle handle;
        private string name;
        internal readonly JObject Json = new JObject();

        /// <summary>The address of the other side.</summary>
        public CXHandle RemoteHandle
        {
            get => handle;
            set {
                handle = value;
                Json["remote"] = value?.Json ?? Handle.Generic("unknown");
            }
        }

        /// <summary>The name of the other side; the broker receives at most 128 bytes of it.</summary>
        public string LocalizedCallerName
        {
            get => name;
            set {
                name = value;
                Json["display_name"] = value == null ? JValue.CreateNull() : new JValue(Short(value));
            }
        }

        /// <summary>Whether the call has video.</summary>
        public bool HasVideo
        {
            get => Json.Flag("has_video");
            set => Json["has_video"] = value;
        }

        /// <summary>Whether it can be held.</summary>
        public bool SupportsHolding
        {
            get => Json["supports_holding"] == null || Json.Flag("supports_holding");
            set => Json["supports_holding"] = value;
        }

        /// <summary>Whether it can join a group.</summary>
        public bool SupportsGrouping
        {
            get => Json["supports_grouping"] == null || Json.Flag("supports_grouping");
            set => Json["supports_grouping"] = value;
        }

        /// <summary>Whether it can leave its group.</summary>
        public bool SupportsUngrouping
        {
            get => Json["supports_ungrouping"] == null || Json.Flag("supports_ungrouping");
            set => Json["supports_ungrouping"] = value;
        }

        /// <summary>Whether tones can be played.</summary>
        public bool SupportsDtmf
        {
            get => Json["supports_dtmf"] == null || Json.Flag("supports_dtmf");
            set => Json["supports_dtmf"] = value;
        }

        internal static string Short(string text)
        {
            while (Encoding.UTF8.GetByteCount(text) > NameBytes) {
                var isPair = text.Length > 1 && char.IsLowSurrogate(text[text.Length - 1]);
                text = text.Substring(0, text.Length - (isPair ? 2 : 1));
            }
            return text;
        }
    }

    /// <summary>The description of an app.</summary>
    public class CXProviderConfiguration : NSObject
    {
        /// <summary>Makes a configuration with the name that users know the app by.</summary>
        public CXProviderConfiguration(string localizedName)
        {
            LocalizedName = localizedName;
        }

        /// <summary>The name.</summary>
        public string LocalizedName { get; }
        /// <summary>The name of a sound, which the broker passes on.</summary>
        public string RingtoneSound { get; set; }
        /// <summary>A picture, kept for the app only.</summary>
        public NSData IconTemplateImageData { get; set; }
        /// <summary>The most groups of calls at a time.</summary>
        public int MaximumCallGroups { get; set; } = 2;
        /// <summary>The most calls in one group.</summary>
        public int MaximumCallsPerCallGroup { get; set; } = 5;
        /// <summary>Whether calls can have video.</summary>
        public bool SupportsVideo { get; set; }
        /// <summary>Whether the history of the host shows the calls.</summary>
        public bool IncludesCallsInRecents { get; set; } = true;
        /// <summary>The kinds of addresses that the app can call; empty: generic.</summary>
        public NSSet<NSNumber> SupportedHandleTypes { get; set; } = new NSSet<NSNumber>();
        /// <summary>The schemes of links that the app can call; an addition to CallKit.</summary>
        public ICollection<string> UrlSchemes { get; } = new List<string>();

        internal JObject Registration
        {
            get {
                var types = SupportedHandleTypes.Where(type => type.Int64Value >= 1 && type.Int64Value <= 3)
                    .Select(type => CXHandle.Word((CXHandleType)type.Int32Value)).ToList();
                if (types.Count == 0) types.Add("generic");
                var registration = Members.Of("handle_types", types).And("supports_video", SupportsVideo)
                    .And("max_call_groups", MaximumCallGroups)
                    .And("max_calls_per_group", Math.Max(1, MaximumCallsPerCallGroup))
                    .And("includes_in_recents", IncludesCallsInRecents).And("ringtone", RingtoneSound);
                return UrlSchemes.Count == 0 ? registration : registration.And("url_schemes", UrlSchemes);
            }
        }
    }

    /// <summary>Why a call ended.</summary>
    public enum CXCallEndedReason
    {
        /// <summary>An error.</summary>
        Failed = 1,
        /// <summary>The other side ended it.</summary>
        RemoteEnded = 2,
        /// <summary>Nobody answered.</summary>
        Unanswered = 3,
        /// <summary>It was answered on another device.</summary>
        AnsweredElsewhere = 4,
        /// <summary>It was declined on another device.</summary>
        DeclinedElsewhere = 5,
    }

    /// <summary>Why an incoming call is not to ring.</summary>
    public enum CXErrorCodeIncomingCallError
    {
        /// <summary>For another reason.</summary>
        Unknown = 0,
        /// <summary>The app may not.</summary>
        Unentitled = 1,
        /// <summary>There is a call with that id.</summary>
        CallUuidAlreadyExists = 2,
        /// <summary>The user is not to be disturbed.</summary>
        FilteredByDoNotDisturb = 3,
        /// <summary>The caller is blocked.</summary>
        FilteredByBlockList = 4,
    }

    /// <summary>Why a transaction is refused.</summary>
    public enum CXErrorCodeRequestTransactionError
    {
        /// <summary>For another reason.</summary>
        Unknown = 0,
        /// <summary>The call is another app's.</summary>
        Unentitled = 1,
        /// <summary>There is no provider.</summary>
        UnknownCallProvider = 2,
        /// <summary>It has no actions.</summary>
        EmptyTransaction = 3,
        /// <summary>There is no such call.</summary>
        UnknownCallUuid = 4,
        /// <summary>There is a call with that id.</summary>
        CallUuidAlreadyExists = 5,
        /// <summary>The call does not support the action.</summary>
        InvalidAction = 6,
        /// <summary>There are too many groups of calls.</summary>
        MaximumCallGroupsReached = 7,
    }

    /// <summary>Errors of the broker with Apple's numbers.</summary>
    internal static class CXErrors
    {
        private const string Domain = "com.apple.CallKit.error.";
        internal const string IncomingCall = Domain + "incomingcall";
        internal const string RequestTransaction = Domain + "requesttransaction";

        internal static NSError Of(string domain, Exception error)
        {
            var refusal = error as BrokerException;
            var known = refusal?.Data.Member("callkit");
            var code = known.Text("domain") == domain ? known.Number("code") ?? 0 : 0;
            if (domain == RequestTransaction && error is DisconnectedException) code = 2;
            var hint = refusal?.Data.Text("hint");
            return new NSError(new NSString(domain), (int)code, hint == null ? error.Message : $"{error.Message}: {hint}");
        }

        internal static NSError Refused(CXErrorCodeRequestTransactionError code, string message) =>
            new NSError(new NSString(RequestTransaction), (int)code, message);
    }

    /// <summary>Actions that are requested together.</summary>
    public class CXTransaction : NSObject
    {
        private readonly List<CXAction> actions;

        /// <summary>Makes a transaction.</summary>
        public CXTransaction(params CXAction[] actions)
        {
            this.actions = actions.ToList();
        }

        /// <summary>The id.</summary>
        public NSUuid Uuid { get; } = new NSUuid();
        /// <summary>The actions, in order.</summary>
        public CXAction[] Actions => actions.ToArray();
        /// <summary>Whether all actions are complete.</summary>
        public bool Complete => actions.All(action => action.Complete);

        /// <summary>Adds an action at the end.</summary>
        public void AddAction(CXAction action) => actions.Add(action);
    }
}
