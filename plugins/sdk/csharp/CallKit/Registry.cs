using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using CallBroker;
using Foundation;

namespace CallKit
{
    /// <summary>The providers of the process, their identities, and the calls that have an id of the app's
    /// beside the broker's.</summary>
    internal static class Registry
    {
        private const int NamesKept = 100;
        private static readonly object Gate = new object();
        private static readonly List<CXProvider> Providers = new List<CXProvider>();
        private static readonly List<(string Id, NSUuid Uuid)> Names = new List<(string, NSUuid)>();

        /// <summary>The options of every connection of the process; only tests change the path.</summary>
        internal static string Socket { get; set; }

        internal static ClientOptions Options => new ClientOptions { Socket = Socket, Context = new Turns() };

        /// <summary>Registers a provider, and returns its identity.</summary>
        internal static string Add(CXProvider provider)
        {
            lock (Gate) {
                Providers.Add(provider);
                var number = 1;
                while (Providers.Any(one => one.Identity == Numbered(number))) number++;
                return Numbered(number);
            }
        }

        internal static void Remove(CXProvider provider)
        {
            lock (Gate) Providers.Remove(provider);
        }

        /// <summary>The provider that has one of the calls, otherwise the newest one.</summary>
        internal static CXProvider For(IEnumerable<NSUuid> calls)
        {
            List<CXProvider> all;
            lock (Gate) all = Providers.ToList();
            return all.LastOrDefault(provider => calls.Any(provider.HasCall)) ?? all.LastOrDefault();
        }

        /// <summary>Whether a call is one of this process that the app has not started yet.</summary>
        internal static bool IsUnknownToApp(NSUuid call, string identity)
        {
            CXProvider own;
            lock (Gate) own = Providers.FirstOrDefault(provider => provider.Identity == identity);
            return own != null && !own.HasCall(call);
        }

        private static string Numbered(int number) => number == 1 ? First : $"{First}.{number}";

        private static string First
        {
            get {
                var chosen = Environment.GetEnvironmentVariable("CALLBROKER_IDENTITY") ?? "";
                if (Regex.IsMatch(chosen, @"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$") && chosen.Length <= 120) return chosen;
                return "local." + Regex.Replace(ProgramName, "[^A-Za-z0-9_-]", "-");
            }
        }

        /// <summary>The name of the program's file, without .exe.</summary>
        internal static string ProgramName =>
            Path.GetFileNameWithoutExtension(AppDomain.CurrentDomain.FriendlyName);

        /// <summary>Records the app's id of a call that has another one for the broker.</summary>
        internal static void Name(string id, NSUuid uuid)
        {
            lock (Gate) {
                Names.Add((id, uuid));
                if (Names.Count > NamesKept) Names.RemoveAt(0);
            }
        }

        /// <summary>The broker's id of a call; null for none.</summary>
        internal static string Id(NSUuid uuid)
        {
            if (uuid == null) return null;
            lock (Gate) return Names.FirstOrDefault(name => name.Uuid.Equals(uuid)).Id ?? uuid.Value.ToString();
        }

        /// <summary>The app's id of a call; null if it is no id.</summary>
        internal static NSUuid Uuid(string id)
        {
            lock (Gate) {
                if (Names.FirstOrDefault(name => name.Id == id).Uuid is NSUuid known) return known;
            }
            return Guid.TryParse(id, out var value) ? new NSUuid(value) : null;
        }
    }
}
