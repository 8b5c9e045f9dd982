using System;
using System.Collections.Generic;
using System.Threading;

namespace CallBroker
{
    /// <summary>Work that is done piece by piece, in order, on threads of the pool. Code that awaits goes on
    /// here.</summary>
    internal sealed class Turns : SynchronizationContext
    {
        private readonly Queue<Action> waiting = new Queue<Action>();
        private bool isRunning;

        public void Post(Action work)
        {
            lock (waiting) {
                waiting.Enqueue(work);
                if (isRunning) return;
                isRunning = true;
            }
            ThreadPool.QueueUserWorkItem(_ => Run());
        }

        public override void Post(SendOrPostCallback work, object state) => Post(() => work(state));

        public override SynchronizationContext CreateCopy() => this;

        public override void Send(SendOrPostCallback work, object state)
        {
            using (var done = new ManualResetEventSlim()) {
                Post(() => {
                    try {
                        work(state);
                    } finally {
                        done.Set();
                    }
                });
                done.Wait();
            }
        }

        private void Run()
        {
            var former = Current;
            SetSynchronizationContext(this);
            try {
                while (Next() is Action work) work();
            } finally {
                SetSynchronizationContext(former);
            }
        }

        private Action Next()
        {
            lock (waiting) {
                if (waiting.Count > 0) return waiting.Dequeue();
                isRunning = false;
                return null;
            }
        }
    }
}
