using System;
using Foundation;
using UIKit;

namespace MonkeyCall
{
    /// <summary>What the system asks of the app as a whole.</summary>
    [Register ("AppDelegate")]
    public sealed class AppDelegate : UIApplicationDelegate
    {
        public override UIWindow Window { get; set; }

        public ActiveCallManager Manager { get; private set; }
        public ProviderDelegate Provider { get; private set; }

        public override bool FinishedLaunching (UIApplication application, NSDictionary launchOptions)
        {
            Manager = new ActiveCallManager ();
            CallScreen.Show (Manager);
            Provider = new ProviderDelegate (Manager);
            Program.ReadCommands (this);
            return true;
        }

        public override bool OpenUrl (UIApplication app, NSUrl url, NSDictionary options) =>
            Start (StartCallRequest.HandleOf (url), "link");

        public override bool ContinueUserActivity (
            UIApplication application, NSUserActivity userActivity,
            UIApplicationRestorationHandler completionHandler) =>
            Start (StartCallRequest.HandleOf (userActivity), "activity");

        private bool Start (string handle, string origin)
        {
            Console.WriteLine (handle == null ? $"nobody to call in this {origin}" : $"asked to call by {origin}");
            if (handle != null) Manager.Start (handle);
            return handle != null;
        }
    }
}
