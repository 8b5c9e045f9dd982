using System;
using System.Linq;
using System.Threading.Tasks;
using CoreFoundation;
using Foundation;

namespace CallKit
{
    /// <summary>Requests actions on the calls of this app, for what the user does in the app.</summary>
    public class CXCallController : NSObject
    {
        private readonly DispatchQueue queue;

        /// <summary>Makes a controller whose completions are called on a queue of its own.</summary>
        public CXCallController() : this(new DispatchQueue("callkit.controller"))
        {
        }

        /// <summary>Makes a controller whose completions are called on a queue.</summary>
        public CXCallController(DispatchQueue queue)
        {
            this.queue = queue;
        }

        /// <summary>An observer of all calls of the host.</summary>
        public CXCallObserver CallObserver { get; } = new CXCallObserver();

        /// <summary>Requests 1 to 8 actions, which are accepted or refused as a whole. No error means that
        /// they will be passed to the provider, not that they were performed.</summary>
        public void RequestTransaction(CXTransaction transaction, Action<NSError> completion)
        {
            Action<NSError> finish = error => queue.DispatchAsync(() => completion?.Invoke(error));
            var actions = transaction.Actions.OfType<CXCallAction>().ToList();
            if (actions.Count == 0) {
                finish(CXErrors.Refused(CXErrorCodeRequestTransactionError.EmptyTransaction,
                                        "the transaction has no actions"));
            } else if (Registry.For(actions.Select(action => action.CallUuid)) is CXProvider provider) {
                Request(provider, actions, finish);
            } else {
                finish(CXErrors.Refused(CXErrorCodeRequestTransactionError.UnknownCallProvider,
                                        "this app has no CXProvider: make one first, and keep it"));
            }
        }

        private static void Request(
            CXProvider provider, System.Collections.Generic.List<CXCallAction> actions, Action<NSError> finish)
        {
            if (provider.Configuration.MaximumCallGroups == 0 && actions.Any(action => action is CXStartCallAction)) {
                finish(CXErrors.Refused(CXErrorCodeRequestTransactionError.MaximumCallGroupsReached,
                                        "the configuration has MaximumCallGroups 0: raise it to start calls"));
                return;
            }
            provider.RequestAsync(actions).ContinueWith(reply => finish(
                reply.Exception == null ? null
                    : CXErrors.Of(CXErrors.RequestTransaction, reply.Exception.InnerException)));
        }

        /// <summary>Requests actions; fails with an <see cref="NSErrorException"/>.</summary>
        public Task RequestTransactionAsync(CXTransaction transaction) =>
            CXProvider.Completed(completion => RequestTransaction(transaction, completion));

        /// <summary>Requests actions.</summary>
        public void RequestTransaction(CXAction[] actions, Action<NSError> completion) =>
            RequestTransaction(new CXTransaction(actions), completion);

        /// <summary>Requests an action.</summary>
        public void RequestTransaction(CXAction action, Action<NSError> completion) =>
            RequestTransaction(new CXTransaction(action), completion);
    }
}
