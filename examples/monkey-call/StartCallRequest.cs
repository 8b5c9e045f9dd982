using System.Linq;
using Foundation;
using Intents;

namespace MonkeyCall
{
    /// <summary>Whom a link, or the user's wish from elsewhere, is for.</summary>
    public static class StartCallRequest
    {
        public const string UrlScheme = "monkeycall";

        /// <summary>The monkey of monkeycall://NAME; null for another link.</summary>
        public static string HandleOf (NSUrl url) => url != null && url.Scheme == UrlScheme ? url.Host : null;

        /// <summary>The first monkey of an audio call; null for another activity. A link that the user gave
        /// to the system comes as a handle, too.</summary>
        public static string HandleOf (NSUserActivity activity)
        {
            if (activity.ActivityType != INIntentIdentifier.StartAudioCall.GetConstant ()) return null;
            var intent = activity.GetInteraction ()?.Intent as INStartAudioCallIntent;
            var value = intent?.Contacts.FirstOrDefault ()?.PersonHandle?.Value;
            return HandleOf (NSUrl.FromString (value)) ?? value;
        }
    }
}
