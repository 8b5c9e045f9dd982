using System;
using CallBroker;
using Foundation;
using Newtonsoft.Json.Linq;

namespace CallKit
{
    /// <summary>A request for a change to a call, which an app sends with a <see cref="CXCallController"/> or
    /// receives in its provider's delegate. It completes once: the first call of Fulfill or Fail counts, and
    /// has an effect only on an action that a provider performs.</summary>
    public abstract class CXAction : NSObject
    {
        private readonly object gate = new object();
        private Action<JObject> report;
        private bool isComplete;

        /// <summary>The id of the action.</summary>
        public NSUuid Uuid { get; } = new NSUuid();

        /// <summary>Whether it was fulfilled or failed: by the app, by its time, or because it was taken
        /// back.</summary>
        public bool Complete
        {
            get {
                lock (gate) return isComplete;
            }
        }

        /// <summary>The moment after which completing the action has no effect.</summary>
        public NSDate TimeoutDate { get; private set; } = NSDate.Now;

        /// <summary>Reports that the action was performed.</summary>
        public void Fulfill() => End(new JObject());

        /// <summary>Reports that the action could not be performed. A failed start or answer ends the
        /// call.</summary>
        public void Fail() => End(null);

        internal void FulfillAt(NSDate date) => End(new JObject().And("at_ms", date?.UnixMs));

        /// <summary>Calls back with the outcome: members of it, or null if it failed.</summary>
        internal void Begin(long deadlineMs, Action<JObject> report)
        {
            lock (gate) {
                TimeoutDate = new NSDate(DateTime.UtcNow.AddMilliseconds(deadlineMs));
                this.report = report;
            }
        }

        /// <summary>Ends the action without the app.</summary>
        internal void Abandon()
        {
            lock (gate) {
                report = null;
                isComplete = true;
            }
        }

        private void End(JObject outcome)
        {
            Action<JObject> former;
            lock (gate) {
                former = report;
                report = null;
                isComplete |= former != null;
            }
            former?.Invoke(outcome);
        }
    }

    /// <summary>An action on one call.</summary>
    public abstract class CXCallAction : CXAction
    {
        internal CXCallAction(NSUuid callUuid)
        {
            CallUuid = callUuid;
        }

        /// <summary>The id of the call in this app.</summary>
        public NSUuid CallUuid { get; }

        /// <summary>The kind and the arguments on the wire.</summary>
        internal abstract string Kind { get; }
        internal virtual JObject Arguments => new JObject();

        internal abstract void PerformBy(CXProviderDelegate performer, CXProvider provider);

        /// <summary>The action that the broker asks for; null if there is none of that kind here.</summary>
        internal static CXCallAction Of(string kind, NSUuid call, JObject given)
        {
            switch (kind) {
            case "start":
                return new CXStartCallAction(call, CXHandle.Of(given.Member("remote"))) { Video = given.Flag("has_video") };
            case "answer": return new CXAnswerCallAction(call);
            case "end": return new CXEndCallAction(call);
            case "set_held": return new CXSetHeldCallAction(call, given.Flag("held"));
            case "set_muted": return new CXSetMutedCallAction(call, given.Flag("muted"));
            case "set_group": return new CXSetGroupCallAction(call, Registry.Uuid(given.Text("with")));
            case "play_dtmf": return CXPlayDtmfCallAction.Of(call, given);
            default: return null;
            }
        }
    }

    /// <summary>Starts a call.</summary>
    public class CXStartCallAction : CXCallAction
    {
        /// <summary>Makes an action with a fresh id of the call, and its address.</summary>
        public CXStartCallAction(NSUuid callUuid, CXHandle callHandle) : base(callUuid)
        {
            CallHandle = callHandle;
        }

        /// <summary>Whom to call.</summary>
        public CXHandle CallHandle { get; set; }
        /// <summary>The id of the contact.</summary>
        public string ContactIdentifier { get; set; }
        /// <summary>Whether it is to have video.</summary>
        public bool Video { get; set; }

        /// <summary>Reports that it was performed, at a moment.</summary>
        public void Fulfill(NSDate dateStarted) => FulfillAt(dateStarted);

        internal override string Kind => "start";
        internal override JObject Arguments => Members.Of("remote", CallHandle.Json)
            .And("has_video", Video).And("contact", ContactIdentifier);
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformStartCallAction(provider, this);
    }

    /// <summary>Answers a call.</summary>
    public class CXAnswerCallAction : CXCallAction
    {
        /// <summary>Makes an action.</summary>
        public CXAnswerCallAction(NSUuid callUuid) : base(callUuid)
        {
        }

        /// <summary>Reports that the call was connected, at a moment.</summary>
        public void Fulfill(NSDate dateConnected) => FulfillAt(dateConnected);

        internal override string Kind => "answer";
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformAnswerCallAction(provider, this);
    }

    /// <summary>Ends a call: hangs up, declines or cancels.</summary>
    public class CXEndCallAction : CXCallAction
    {
        /// <summary>Makes an action.</summary>
        public CXEndCallAction(NSUuid callUuid) : base(callUuid)
        {
        }

        /// <summary>Reports that the call was over, at a moment.</summary>
        public void Fulfill(NSDate dateEnded) => FulfillAt(dateEnded);

        internal override string Kind => "end";
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformEndCallAction(provider, this);
    }

    /// <summary>Holds or resumes a call.</summary>
    public class CXSetHeldCallAction : CXCallAction
    {
        /// <summary>Makes an action.</summary>
        public CXSetHeldCallAction(NSUuid callUuid, bool onHold) : base(callUuid)
        {
            OnHold = onHold;
        }

        /// <summary>Whether to hold.</summary>
        public bool OnHold { get; set; }

        internal override string Kind => "set_held";
        internal override JObject Arguments => Members.Of("held", OnHold);
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformSetHeldCallAction(provider, this);
    }

    /// <summary>Mutes a call, or no longer.</summary>
    public class CXSetMutedCallAction : CXCallAction
    {
        /// <summary>Makes an action.</summary>
        public CXSetMutedCallAction(NSUuid callUuid, bool muted) : base(callUuid)
        {
            Muted = muted;
        }

        /// <summary>Whether to mute.</summary>
        public bool Muted { get; set; }

        internal override string Kind => "set_muted";
        internal override JObject Arguments => Members.Of("muted", Muted);
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformSetMutedCallAction(provider, this);
    }

    /// <summary>Joins the group of another call, or leaves its own.</summary>
    public class CXSetGroupCallAction : CXCallAction
    {
        /// <summary>Makes an action; without another call it leaves.</summary>
        public CXSetGroupCallAction(NSUuid callUuid, NSUuid callUuidToGroupWith) : base(callUuid)
        {
            CallUuidToGroupWith = callUuidToGroupWith;
        }

        /// <summary>The other call; null: leave the group.</summary>
        public NSUuid CallUuidToGroupWith { get; set; }

        internal override string Kind => "set_group";
        internal override JObject Arguments => Members.Of("with", Registry.Id(CallUuidToGroupWith));
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformSetGroupCallAction(provider, this);
    }

    /// <summary>How tones are played.</summary>
    public enum CXPlayDtmfCallActionType
    {
        /// <summary>One key.</summary>
        SingleTone = 1,
        /// <summary>After a pause of time.</summary>
        SoftPause = 2,
        /// <summary>After a pause that the user ends.</summary>
        HardPause = 3,
    }

    /// <summary>Plays tones.</summary>
    public class CXPlayDtmfCallAction : CXCallAction
    {
        private static readonly string[] Styles = { null, "single", "soft_pause", "hard_pause" };

        /// <summary>Makes an action.</summary>
        public CXPlayDtmfCallAction(NSUuid callUuid, string digits, CXPlayDtmfCallActionType type) : base(callUuid)
        {
            Digits = digits;
            Type = type;
        }

        /// <summary>The keys.</summary>
        public string Digits { get; set; }
        /// <summary>How they are played.</summary>
        public CXPlayDtmfCallActionType Type { get; set; }

        internal static CXPlayDtmfCallAction Of(NSUuid call, JObject given) => new CXPlayDtmfCallAction(
            call, given.Text("digits") ?? "",
            (CXPlayDtmfCallActionType)Math.Max(1, Array.IndexOf(Styles, given.Text("style") ?? "single")));

        internal override string Kind => "play_dtmf";
        internal override JObject Arguments => Members.Of("digits", Digits).And("style", Styles[(int)Type]);
        internal override void PerformBy(CXProviderDelegate performer, CXProvider provider) =>
            performer.PerformPlayDtmfCallAction(provider, this);
    }
}
