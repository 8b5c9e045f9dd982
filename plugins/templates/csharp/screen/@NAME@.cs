// @TITLE@: a screen: it shows incoming calls as lines of its log.
using System;
using System.Threading.Tasks;
using CallBroker;

static class Program
{
    static void Main()
    {
        var app = new Screen("@NAME@", new ClientOptions { Identity = "@IDENTITY@" });

        // Its manifest claims the screen. Buttons request app.CallAnswerAsync(call), app.CallEndAsync(call), ...
        app.OnPresent((call, _) => {
            var id = call.Text("call").Substring(0, 8);
            Console.Error.WriteLine($"{id} rings; possible: {string.Join(", ", call.List("actions"))}");
            return Task.FromResult(true); // false: another screen may show it
        });
        app.OnDismiss(gone => Console.Error.WriteLine(
            $"{gone.Text("call").Substring(0, 8)} is gone: {gone.Text("reason")}"));

        app.RunAsync().GetAwaiter().GetResult(); // until the broker says: stop
    }
}
