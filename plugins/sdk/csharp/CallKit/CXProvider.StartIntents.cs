using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using CallBroker;
using CoreFoundation;
using Foundation;
using Intents;
using Newtonsoft.Json.Linq;
using UIKit;

namespace CallKit
{
    /// <summary>Calls that the user started outside the app. The app receives an intent for each and starts
    /// the call itself; its start adopts the call that the broker has begun.</summary>
    public partial class CXProvider
    {
        private sealed class StartIntent
        {
            internal ProviderAction Given;
            internal TaskCompletionSource<Task> Performing =
                new TaskCompletionSource<Task>(TaskCreationOptions.RunContinuationsAsynchronously);
            internal bool IsBeingDelivered;
        }

        private readonly List<StartIntent> intents = new List<StartIntent>();
        private readonly HashSet<string> unknownToApp = new HashSet<string>(); // it has not started them

        private static bool StartsByIntent(ProviderAction given) => StartsByIntent(given.Cause);

        private static bool StartsByIntent(JObject cause) =>
            cause.Text("origin") != "app" && UIApplication.SharedApplication.Delegate != null;

        private bool IsIntent(JObject offered)
        {
            lock (gate) {
                return offered.Text("kind") == "start" && StartsByIntent(offered.Member("cause"))
                    || unknownToApp.Contains(offered.Text("call"));
            }
        }

        private Task DeliverIntentAsync(ProviderAction given)
        {
            var intent = new StartIntent { Given = given };
            lock (gate) {
                intents.Add(intent);
                unknownToApp.Add(given.Call);
            }
            given.Withdrawn.Register(() => {
                if (TakeIntent(intent)) intent.Performing.TrySetCanceled();
            });
            DispatchQueue.MainQueue.DispatchAsync(() => Deliver(intent));
            return intent.Performing.Task.Unwrap();
        }

        /// <summary>Gives the intent to the app. If the app does not handle it, the provider's delegate
        /// performs the start.</summary>
        private void Deliver(StartIntent intent)
        {
            lock (gate) {
                if (!intents.Contains(intent)) return;
                intent.IsBeingDelivered = true;
            }
            var app = UIApplication.SharedApplication;
            var isHandled = app.Delegate.ContinueUserActivity(app, Activity(intent.Given), _ => { });
            lock (gate) intent.IsBeingDelivered = false;
            if (isHandled || !TakeIntent(intent)) return;
            Begin(intent, Made("start", intent.Given.Call, intent.Given.Arguments));
        }

        private static NSUserActivity Activity(ProviderAction given)
        {
            var remote = given.Arguments.Member("remote");
            var type = remote.Text("type") == "phone" ? INPersonHandleType.PhoneNumber
                : remote.Text("type") == "email" ? INPersonHandleType.EmailAddress : INPersonHandleType.Unknown;
            var person = new INPerson(new INPersonHandle(remote.Text("value") ?? "", type));
            var isVideo = given.Arguments.Flag("has_video");
            var name = isVideo ? INIntentIdentifier.StartVideoCall : INIntentIdentifier.StartAudioCall;
            return new NSUserActivity(name.GetConstant()).With(
                isVideo ? (INIntent)new INStartVideoCallIntent(person) : new INStartAudioCallIntent(person));
        }

        private bool TakeIntent(StartIntent intent)
        {
            lock (gate) return intents.Remove(intent);
        }

        /// <summary>Forgets a call that the user ended before the app started it.</summary>
        private bool ForgetIntent(string call)
        {
            StartIntent intent;
            lock (gate) {
                if (!unknownToApp.Remove(call)) return false;
                intent = intents.FirstOrDefault(one => one.Given.Call == call);
                intents.Remove(intent);
            }
            intent?.Performing.TrySetException(new FailedException("ended"));
            return true;
        }

        private void Begin(StartIntent intent, CXCallAction start)
        {
            lock (gate) unknownToApp.Remove(intent.Given.Call);
            intent.Performing.TrySetResult(PerformAsync(intent.Given, start));
        }

        /// <summary>The intent that a start of the app belongs to: the one for the same address, otherwise the
        /// one that is being delivered.</summary>
        private StartIntent Claim(CXStartCallAction start)
        {
            lock (gate) {
                var found = intents.FirstOrDefault(one =>
                                one.Given.Arguments.Member("remote").Text("value") == start.CallHandle.Value)
                            ?? intents.FirstOrDefault(one => one.IsBeingDelivered);
                intents.Remove(found);
                return found;
            }
        }

        /// <summary>Requests what a controller wants. A start that belongs to a call of the user's adopts it
        /// when the other actions are accepted.</summary>
        internal async Task RequestAsync(List<CXCallAction> actions)
        {
            var start = actions.OfType<CXStartCallAction>().FirstOrDefault();
            var intent = start == null || HasCall(start.CallUuid) ? null : Claim(start);
            try {
                var rest = actions.Where(action => intent == null || action != start).Select(Requested).ToList();
                if (rest.Count > 0) await Link.TransactionRequestAsync(rest).ConfigureAwait(false);
            } catch (Exception) {
                intent?.Performing.TrySetException(new FailedException("refused"));
                throw;
            }
            if (intent != null) Adopt(intent, start);
        }

        private JObject Requested(CXCallAction action) =>
            new JObject { { "kind", action.Kind }, { "call", Registry.Id(action.CallUuid) },
                          { "arguments", action.Arguments } }
                .And("provider", action is CXStartCallAction ? Identity : null);

        private void Adopt(StartIntent intent, CXStartCallAction start)
        {
            Registry.Name(intent.Given.Call, start.CallUuid);
            var remote = intent.Given.Arguments.Member("remote");
            var differences = new JObject();
            if (remote.Text("value") != start.CallHandle.Value) differences["remote"] = start.CallHandle.Json;
            if (intent.Given.Arguments.Flag("has_video") != start.Video) differences["has_video"] = start.Video;
            Update(intent.Given.Call, differences);
            Begin(intent, start);
        }
    }
}
