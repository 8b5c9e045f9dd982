using System;
using System.Linq;
using CoreFoundation;
using Foundation;

namespace AVFoundation
{
    /// <summary>The audio of the app's calls. The system gives it to the app, and takes it back.</summary>
    public sealed class AVAudioSession : NSObject
    {
        private static readonly AVAudioSession Shared = new AVAudioSession();

        private AVAudioSession()
        {
        }

        /// <summary>The only one.</summary>
        public static AVAudioSession SharedInstance() => Shared;

        /// <summary>What the sound is for, as the app says.</summary>
        public string Category { get; private set; } = "AVAudioSessionCategorySoloAmbient";
        /// <summary>How it is used, as the app says.</summary>
        public string Mode { get; private set; } = "AVAudioSessionModeDefault";

        /// <summary>Says what the sound is for; null, as that cannot fail here.</summary>
        public NSError SetCategory(string category)
        {
            Category = category;
            return null;
        }

        /// <summary>Says how it is used.</summary>
        public bool SetMode(string mode, out NSError error)
        {
            Mode = mode;
            error = null;
            return true;
        }
    }
}

namespace UIKit
{
    /// <summary>There are no windows here.</summary>
    public class UIWindow : NSObject
    {
    }

    /// <summary>The bytes of a picture.</summary>
    public sealed class UIImage : NSObject
    {
        private readonly NSData data;

        private UIImage(NSData data)
        {
            this.data = data;
        }

        /// <summary>Reads a file; null if it cannot be read.</summary>
        public static UIImage FromFile(string path) =>
            NSData.FromFile(path) is NSData data ? new UIImage(data) : null;

        /// <summary>The file as it was read: it has to be PNG already.</summary>
        public NSData AsPNG() => data;
    }

    /// <summary>Called by an app that has restored what the user saw; ignored here.</summary>
    public delegate void UIApplicationRestorationHandler(NSObject[] restorableObjects);

    /// <summary>What the system asks of the app as a whole.</summary>
    public abstract class UIApplicationDelegate : NSObject
    {
        /// <summary>The window; nothing here uses it.</summary>
        public virtual UIWindow Window { get; set; }

        /// <summary>The app has started.</summary>
        public virtual bool FinishedLaunching(UIApplication application, NSDictionary launchOptions) => true;

        /// <summary>The app was started with a link, or is given one. Returns whether it handles it.</summary>
        public virtual bool OpenUrl(UIApplication app, NSUrl url, NSDictionary options) => false;

        /// <summary>The user wants something, such as a call. Returns whether the app handles it.</summary>
        public virtual bool ContinueUserActivity(
            UIApplication application, NSUserActivity userActivity,
            UIApplicationRestorationHandler completionHandler) => false;
    }

    /// <summary>The app.</summary>
    public sealed class UIApplication : NSObject
    {
        private UIApplication()
        {
        }

        /// <summary>The only one.</summary>
        public static UIApplication SharedApplication { get; } = new UIApplication();

        /// <summary>What the system asks is asked of it.</summary>
        public UIApplicationDelegate Delegate { get; set; }

        /// <summary>Runs the app with the delegate that has this name; returns after
        /// <see cref="Exit"/>. Arguments that are links are opened.</summary>
        public static void Main(string[] args, string principalClassName, string delegateClassName)
        {
            var app = SharedApplication;
            app.Delegate = (UIApplicationDelegate)Activator.CreateInstance(Named(delegateClassName));
            DispatchQueue.MainQueue.DispatchAsync(() => {
                app.Delegate.FinishedLaunching(app, new NSDictionary());
                foreach (var url in args.Select(NSUrl.FromString)) {
                    if (url != null) app.OpenUrl(url);
                }
            });
            DispatchQueue.Main();
        }

        /// <summary>Gives the app a link; call it on the main queue.</summary>
        public bool OpenUrl(NSUrl url) => Delegate != null && Delegate.OpenUrl(this, url, new NSDictionary());

        /// <summary>Ends the main queue, which is how a program ends here.</summary>
        public static void Exit() => DispatchQueue.EndMain();

        private static Type Named(string name) =>
            AppDomain.CurrentDomain.GetAssemblies().SelectMany(one => one.GetTypes()).FirstOrDefault(
                type => type.IsSubclassOf(typeof(UIApplicationDelegate))
                        && ((Attribute.GetCustomAttribute(type, typeof(RegisterAttribute)) as RegisterAttribute)?.Name
                            ?? type.Name) == name)
            ?? throw new ArgumentException(
                $"no UIApplicationDelegate is named {name}: add [Register (\"{name}\")] to the class");
    }
}
