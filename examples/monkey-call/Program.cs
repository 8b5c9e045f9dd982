using System;
using System.Linq;
using System.Threading;
using CoreFoundation;
using Foundation;
using UIKit;

namespace MonkeyCall
{
    /// <summary>Starts the app, and reads what its buttons and the far side of its calls are here: lines of
    /// standard input.</summary>
    public static class Program
    {
        private const string Help = "ring NAME, dial NAME, open URL, alert, connect, hold, resume, mute, unmute, end, gone";

        public static void Main (string[] args)
        {
            UIApplication.Main (args, null, "AppDelegate");
        }

        /// <summary>Obeys each line on the main queue, until there are no more.</summary>
        public static void ReadCommands (AppDelegate app)
        {
            new Thread (() => {
                for (string line; (line = Console.ReadLine ()) != null;) {
                    var words = line.Split (new[] { ' ' }, 2);
                    DispatchQueue.MainQueue.DispatchAsync (() => Obey (app, words[0], words.ElementAtOrDefault (1)));
                }
                DispatchQueue.MainQueue.DispatchAsync (UIApplication.Exit);
            }) { IsBackground = true }.Start ();
            Console.WriteLine ("ready");
        }

        private static void Obey (AppDelegate app, string command, string name)
        {
            var call = app.Manager.Calls.LastOrDefault ();
            if (name != null) Obey (app, command, name, NSUrl.FromString (name));
            else if (call == null) Console.WriteLine (Help);
            else Obey (app, command, call);
        }

        private static void Obey (AppDelegate app, string command, string name, NSUrl url)
        {
            if (command == "ring") app.Provider.ReportIncoming (name);
            else if (command == "dial") app.Manager.Start (name);
            else if (command == "open" && url != null) UIApplication.SharedApplication.OpenUrl (url);
            else Console.WriteLine (Help);
        }

        private static void Obey (AppDelegate app, string command, ActiveCall call)
        {
            switch (command) {
            case "alert": call.Ring (); break;
            case "connect": call.Connect (); break;
            case "hold": app.Manager.Hold (call, true); break;
            case "resume": app.Manager.Hold (call, false); break;
            case "mute": app.Manager.Mute (call, true); break;
            case "unmute": app.Manager.Mute (call, false); break;
            case "end": app.Manager.End (call); break;
            case "gone": app.Provider.ReportEnded (call); break;
            default: Console.WriteLine (Help); break;
            }
        }
    }
}
