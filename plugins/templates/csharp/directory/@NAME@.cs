// @TITLE@: a directory: it names callers by a list of numbers.
using System.Collections.Generic;
using System.Threading.Tasks;
using CallBroker;
using Newtonsoft.Json.Linq;

static class Program
{
    static readonly Dictionary<string, string> Names = new Dictionary<string, string> { { "+15550123", "Example Ltd" } };

    static void Main()
    {
        var app = new Directory("@NAME@", new ClientOptions { Identity = "@IDENTITY@" });

        app.OnLookup((given, _) => { // a ringing call shows the name
            var isKnown = Names.TryGetValue(given.Member("remote").Text("value") ?? "", out var name);
            return Task.FromResult(isKnown ? Members.Of("display_name", name) : new JObject());
        });

        app.RunAsync().GetAwaiter().GetResult(); // until the broker says: stop
    }
}
