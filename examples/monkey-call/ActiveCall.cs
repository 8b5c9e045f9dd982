using System;
using Foundation;

namespace MonkeyCall
{
    /// <summary>A call between two monkeys. The jungle that carries it is this process, and its far side is
    /// played by who types: see <see cref="Console"/> in Program.cs.</summary>
    public sealed class ActiveCall
    {
        /// <summary>Makes a call that is not connected yet.</summary>
        public ActiveCall (NSUuid uuid, string handle, bool isOutgoing)
        {
            Uuid = uuid;
            Handle = handle;
            IsOutgoing = isOutgoing;
        }

        public NSUuid Uuid { get; }
        public string Handle { get; }
        public bool IsOutgoing { get; }
        public DateTime ConnectingSince { get; private set; }
        public DateTime ConnectedSince { get; private set; }
        public bool IsConnecting { get; private set; }
        public bool IsConnected { get; private set; }
        public bool IsOnHold { get; set; }
        public bool IsMuted { get; set; }

        /// <summary>Raised when the far side rings, and when it picks up.</summary>
        public event Action<ActiveCall> Changed;

        /// <summary>The far side rings.</summary>
        public void Ring ()
        {
            if (IsConnecting || IsConnected) return;
            IsConnecting = true;
            ConnectingSince = DateTime.Now;
            Changed?.Invoke (this);
        }

        /// <summary>Both sides can talk.</summary>
        public void Connect ()
        {
            if (IsConnected) return;
            IsConnecting = false;
            IsConnected = true;
            ConnectedSince = DateTime.Now;
            Changed?.Invoke (this);
        }

        public override string ToString ()
        {
            var state = IsOnHold ? "on hold" : IsConnected ? "connected" : IsConnecting ? "connecting" : "ringing";
            return $"{Handle} {state}{(IsMuted ? " muted" : "")}";
        }
    }
}
