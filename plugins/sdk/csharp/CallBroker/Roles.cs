using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>Requests what is done to calls, in the name of the user.</summary>
    public class Controller : Client
    {
        /// <summary>Creates a controller.</summary>
        public Controller(string name, ClientOptions options = null) : base(name, options)
        {
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } = new[] { "controller", "observer" };
    }

    /// <summary>Looks after plugins and the broker itself.</summary>
    public class Admin : Controller
    {
        /// <summary>Creates an administrator.</summary>
        public Admin(string name, ClientOptions options = null) : base(name, options)
        {
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } =
            new[] { "admin", "controller", "observer" };
    }

    /// <summary>Shows calls and requests what the user wants. Once it has claimed the screen, calls are
    /// presented to it.</summary>
    public class Screen : Observer
    {
        private JObject claimed;

        /// <summary>Creates a screen.</summary>
        public Screen(string name, ClientOptions options = null, IReadOnlyList<string> topics = null)
            : base(name, options, topics)
        {
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } = new[] { "ui", "controller", "observer" };

        /// <summary>Called with each call to show; returns whether the user can see it here.</summary>
        public void OnPresent(Func<JObject, CancellationToken, Task<bool>> present) =>
            Handle(Received.UiPresent, async (call, cancellation) =>
                Members.Of("presented", await present(call, cancellation)));

        /// <summary>Called with each call that is to be hidden.</summary>
        public void OnDismiss(Action<JObject> dismiss) => On(Received.UiDismiss, dismiss);

        /// <summary>Claims the screen, and again in each new session; the result has whether it is
        /// primary.</summary>
        public async Task<JObject> ClaimAsync(
            object members = null, CancellationToken cancellation = default(CancellationToken))
        {
            var given = Members.From(members);
            var result = await RequestAsync("ui.claim", given, cancellation).ConfigureAwait(false);
            Post(() => claimed = given);
            return result;
        }

        /// <summary>Leaves the screen to another.</summary>
        public Task<JObject> ReleaseAsync(CancellationToken cancellation = default(CancellationToken))
        {
            Post(() => claimed = null);
            return RequestAsync("ui.release", null, cancellation);
        }

        internal override async Task OnOpenedAsync()
        {
            await base.OnOpenedAsync();
            if (claimed != null) await OpeningAsync("ui.claim", (JObject)claimed.DeepClone());
        }
    }

    /// <summary>Has the audio endpoints of the host.</summary>
    public class AudioHost : Observer
    {
        private JArray endpoints;

        /// <summary>Creates the host of the endpoints.</summary>
        public AudioHost(string name, ClientOptions options = null) : base(name, options)
        {
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } = new[] { "audio", "observer" };

        /// <summary>Called with the endpoint that the user chooses; done when the sound is there.</summary>
        public void OnUseEndpoint(Func<string, CancellationToken, Task> use) =>
            Handle(Received.AudioUseEndpoint, async (given, cancellation) => {
                await use(given.Text("endpoint"), cancellation);
                return null;
            });

        /// <summary>Reports the whole list when it changes, and again in each new session; the result has
        /// the user's last choice as chosen.</summary>
        public async Task<JObject> ReportEndpointsAsync(
            object list, CancellationToken cancellation = default(CancellationToken))
        {
            var reported = JArray.FromObject(list);
            var result = await RequestAsync("audio.report_endpoints", Members.Of("endpoints", reported.DeepClone()),
                                            cancellation).ConfigureAwait(false);
            Post(() => endpoints = reported);
            return result;
        }

        internal override async Task OnOpenedAsync()
        {
            await base.OnOpenedAsync();
            if (endpoints == null) return;
            await OpeningAsync("audio.report_endpoints", Members.Of("endpoints", endpoints.DeepClone()));
        }
    }

    /// <summary>Decides before calls ring.</summary>
    public class Screener : Client
    {
        /// <summary>Creates a screener.</summary>
        public Screener(string name, ClientOptions options = null) : base(name, options)
        {
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } = new[] { "screener" };

        /// <summary>Called with each call before it rings; returns a verdict: continue, allow, silence or
        /// block, with an optional label.</summary>
        public void OnCheck(RequestHandler check) => Handle(Received.ScreenerCheck, check);
    }

    /// <summary>Names callers.</summary>
    public class Directory : Client
    {
        /// <summary>Creates a directory.</summary>
        public Directory(string name, ClientOptions options = null) : base(name, options)
        {
        }

        /// <inheritdoc/>
        protected override IReadOnlyList<string> ClassRoles { get; } = new[] { "directory" };

        /// <summary>Called with each caller; returns display_name and what else is known.</summary>
        public void OnLookup(RequestHandler look) => Handle(Received.DirectoryLookup, look);
    }
}
