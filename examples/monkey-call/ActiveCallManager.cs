using System;
using System.Collections.Generic;
using System.Linq;
using CallKit;
using CoreFoundation;
using Foundation;

namespace MonkeyCall
{
    /// <summary>The calls of the app, and what its user wants done to them. Nothing is done here: it is
    /// requested, and the provider's delegate does it once the system agrees.</summary>
    public sealed class ActiveCallManager
    {
        private readonly CXCallController controller = new CXCallController (DispatchQueue.MainQueue);
        private readonly List<ActiveCall> calls = new List<ActiveCall> ();

        public IReadOnlyList<ActiveCall> Calls => calls;

        /// <summary>Raised when the calls, or something about one of them, have changed.</summary>
        public event Action Changed;

        /// <summary>Raised with a request that was refused.</summary>
        public event Action<NSError> Refused;

        public ActiveCall Find (NSUuid uuid) => calls.FirstOrDefault (call => call.Uuid.Equals (uuid));

        // What the user wants

        public void Start (string handle) =>
            Request (new CXStartCallAction (new NSUuid (), new CXHandle (CXHandleType.Generic, handle)));

        public void End (ActiveCall call) => Request (new CXEndCallAction (call.Uuid));

        public void Hold (ActiveCall call, bool onHold) => Request (new CXSetHeldCallAction (call.Uuid, onHold));

        public void Mute (ActiveCall call, bool muted) => Request (new CXSetMutedCallAction (call.Uuid, muted));

        private void Request (CXAction action) => controller.RequestTransaction (new CXTransaction (action), error => {
            if (error != null) Refused?.Invoke (error);
        });

        // What became of it

        public void Add (ActiveCall call)
        {
            calls.Add (call);
            Update ();
        }

        public void Remove (ActiveCall call)
        {
            calls.Remove (call);
            Update ();
        }

        public void Clear ()
        {
            calls.Clear ();
            Update ();
        }

        public void Update () => Changed?.Invoke ();

        public void Refuse (NSError error) => Refused?.Invoke (error);
    }
}
