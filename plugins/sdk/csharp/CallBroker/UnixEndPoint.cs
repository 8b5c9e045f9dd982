using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;

namespace CallBroker
{
    /// <summary>The address of a Unix socket; netstandard 2.0 has none.</summary>
    public sealed class UnixEndPoint : EndPoint
    {
        private const int FamilyBytes = 2;
        private const int LongestBytes = 107;
        private readonly byte[] path;

        /// <summary>Creates the address of a path of at most 107 bytes.</summary>
        public UnixEndPoint(string path)
        {
            this.path = Encoding.UTF8.GetBytes(path);
            if (this.path.Length > LongestBytes) {
                throw new ArgumentException(
                    $"the path of the socket has {this.path.Length} bytes, and a Unix socket at most "
                    + $"{LongestBytes}: set BROKER_SOCKET to a shorter one", nameof(path));
            }
        }

        /// <inheritdoc/>
        public override AddressFamily AddressFamily => AddressFamily.Unix;

        /// <inheritdoc/>
        public override SocketAddress Serialize()
        {
            var address = new SocketAddress(AddressFamily.Unix, FamilyBytes + path.Length + 1);
            for (var at = 0; at < path.Length; at++) address[FamilyBytes + at] = path[at];
            address[FamilyBytes + path.Length] = 0;
            return address;
        }

        /// <inheritdoc/>
        public override EndPoint Create(SocketAddress address) => this;

        /// <summary>The path at which the broker listens: BROKER_SOCKET if it is set.</summary>
        public static string DefaultPath()
        {
            var chosen = Environment.GetEnvironmentVariable("BROKER_SOCKET");
            if (!string.IsNullOrEmpty(chosen)) return chosen;
            var runtime = Environment.GetEnvironmentVariable("XDG_RUNTIME_DIR");
            if (!string.IsNullOrEmpty(runtime)) return Path.Combine(runtime, "callbroker", "broker.sock");
            var user = getuid();
            if (user == 0) return "/run/callbroker/broker.sock";
            return Path.Combine(Path.GetTempPath(), $"callbroker-{user}", "broker.sock");
        }

        [DllImport("libc")]
        private static extern uint getuid();
    }
}
