using System;
using AVFoundation;
using CallKit;
using Foundation;

namespace MonkeyCall
{
    /// <summary>Between the system and the jungle: tells the one what happens in the other, and does to calls
    /// what the system asks for.</summary>
    public sealed class ProviderDelegate : CXProviderDelegate
    {
        private readonly ActiveCallManager manager;
        private readonly CXProvider provider;

        public ProviderDelegate (ActiveCallManager manager)
        {
            this.manager = manager;
            var configuration = new CXProviderConfiguration ("MonkeyCall") {
                MaximumCallsPerCallGroup = 1,
                SupportedHandleTypes = new NSSet<NSNumber> ((int)CXHandleType.Generic, (int)CXHandleType.PhoneNumber),
                RingtoneSound = "jungle.wav",
            };
            configuration.UrlSchemes.Add (StartCallRequest.UrlScheme);
            provider = new CXProvider (configuration);
            provider.SetDelegate (this, null);
        }

        // What happens in the jungle

        /// <summary>Somebody calls. The system decides whether it rings.</summary>
        public void ReportIncoming (string handle)
        {
            var call = new ActiveCall (new NSUuid (), handle, false);
            var update = new CXCallUpdate { RemoteHandle = new CXHandle (CXHandleType.Generic, handle) };
            provider.ReportNewIncomingCall (call.Uuid, update, error => {
                if (error == null) manager.Add (call);
                else manager.Refuse (error);
            });
        }

        /// <summary>The far side hangs up.</summary>
        public void ReportEnded (ActiveCall call)
        {
            provider.ReportCall (call.Uuid, NSDate.Now,
                                 call.IsConnected ? CXCallEndedReason.RemoteEnded : CXCallEndedReason.Unanswered);
            manager.Remove (call);
        }

        private void Report (ActiveCall call)
        {
            if (call.IsConnected) provider.ReportConnectedOutgoingCall (call.Uuid, call.ConnectedSince.ToNSDate ());
            else provider.ReportConnectingOutgoingCall (call.Uuid, call.ConnectingSince.ToNSDate ());
            manager.Update ();
        }

        // What the system asks for

        public override void DidReset (CXProvider provider) => manager.Clear ();

        public override void PerformStartCallAction (CXProvider provider, CXStartCallAction action)
        {
            var call = new ActiveCall (action.CallUuid, action.CallHandle.Value, true);
            call.Changed += Report;
            action.Fulfill (); // it is on its way
            manager.Add (call);
        }

        public override void PerformAnswerCallAction (CXProvider provider, CXAnswerCallAction action) =>
            Perform (action, call => call.Connect ());

        public override void PerformEndCallAction (CXProvider provider, CXEndCallAction action) =>
            Perform (action, manager.Remove);

        public override void PerformSetHeldCallAction (CXProvider provider, CXSetHeldCallAction action) =>
            Perform (action, call => call.IsOnHold = action.OnHold);

        public override void PerformSetMutedCallAction (CXProvider provider, CXSetMutedCallAction action) =>
            Perform (action, call => call.IsMuted = action.Muted);

        /// <summary>Does something to the call of an action; without one the action fails.</summary>
        private void Perform (CXCallAction action, Action<ActiveCall> work)
        {
            var call = manager.Find (action.CallUuid);
            if (call == null) {
                action.Fail ();
                return;
            }
            work (call);
            action.Fulfill ();
            manager.Update ();
        }

        public override void TimedOutPerformingAction (CXProvider provider, CXAction action) =>
            Console.WriteLine ($"too late: {action.GetType ().Name}");

        public override void DidActivateAudioSession (CXProvider provider, AVAudioSession audioSession) =>
            Console.WriteLine ("sound on");

        public override void DidDeactivateAudioSession (CXProvider provider, AVAudioSession audioSession) =>
            Console.WriteLine ("sound off");
    }
}
