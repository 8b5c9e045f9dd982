using System;
using System.Linq;

namespace MonkeyCall
{
    /// <summary>The screen of the app: its calls in one line, whenever they change.</summary>
    public static class CallScreen
    {
        public static void Show (ActiveCallManager manager)
        {
            var shown = "";
            manager.Changed += () => {
                var line = manager.Calls.Count == 0 ? "none" : string.Join ("; ", manager.Calls);
                if (line == shown) return;
                shown = line;
                Console.WriteLine ($"calls: {line}");
            };
            manager.Refused += error => Console.WriteLine ($"refused: {error.Code} {error}");
        }
    }
}
