// @TITLE@: a screener: it blocks callers without a number.
using System.Threading.Tasks;
using CallBroker;

static class Program
{
    static void Main()
    {
        var app = new Screener("@NAME@", new ClientOptions { Identity = "@IDENTITY@" });

        app.OnCheck((given, _) => { // every call waits for it before it rings
            var hasNumber = given.Member("remote") != null;
            return Task.FromResult(Members.Of("verdict", hasNumber ? "continue" : "block")); // or allow, silence
        });

        app.RunAsync().GetAwaiter().GetResult(); // until the broker says: stop
    }
}
