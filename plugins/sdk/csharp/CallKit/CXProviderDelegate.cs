using AVFoundation;
using Foundation;

namespace CallKit
{
    /// <summary>Performs the actions on a provider's calls. An action whose method is not overridden
    /// fails.</summary>
    public abstract class CXProviderDelegate : NSObject
    {
        /// <summary>The provider is registered.</summary>
        public virtual void DidBegin(CXProvider provider)
        {
        }

        /// <summary>All calls are gone: drop them, and complete no actions.</summary>
        public abstract void DidReset(CXProvider provider);

        /// <summary>Is offered a transaction; returns true to take it over, and then completes its
        /// actions.</summary>
        public virtual bool ExecuteTransaction(CXProvider provider, CXTransaction transaction) => false;

        /// <summary>Starts a call.</summary>
        public virtual void PerformStartCallAction(CXProvider provider, CXStartCallAction action) => action.Fail();

        /// <summary>Answers a call.</summary>
        public virtual void PerformAnswerCallAction(CXProvider provider, CXAnswerCallAction action) => action.Fail();

        /// <summary>Ends a call.</summary>
        public virtual void PerformEndCallAction(CXProvider provider, CXEndCallAction action) => action.Fail();

        /// <summary>Holds or resumes a call.</summary>
        public virtual void PerformSetHeldCallAction(CXProvider provider, CXSetHeldCallAction action) => action.Fail();

        /// <summary>Mutes a call, or no longer.</summary>
        public virtual void PerformSetMutedCallAction(CXProvider provider, CXSetMutedCallAction action) => action.Fail();

        /// <summary>Groups a call.</summary>
        public virtual void PerformSetGroupCallAction(CXProvider provider, CXSetGroupCallAction action) => action.Fail();

        /// <summary>Plays tones.</summary>
        public virtual void PerformPlayDtmfCallAction(CXProvider provider, CXPlayDtmfCallAction action) => action.Fail();

        /// <summary>The time of an action is over; completing it has no effect any more.</summary>
        public virtual void TimedOutPerformingAction(CXProvider provider, CXAction action)
        {
        }

        /// <summary>The audio is the app's.</summary>
        public virtual void DidActivateAudioSession(CXProvider provider, AVAudioSession audioSession)
        {
        }

        /// <summary>The audio is the app's no longer.</summary>
        public virtual void DidDeactivateAudioSession(CXProvider provider, AVAudioSession audioSession)
        {
        }
    }
}
