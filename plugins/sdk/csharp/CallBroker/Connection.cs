using System;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace CallBroker
{
    /// <summary>A connection of lines. A thread of its own reads; writing never blocks who sends.</summary>
    internal sealed class Connection
    {
        /// <summary>A line that is received; only rpc.discover comes near it.</summary>
        internal const int LongestLine = 1048576;
        /// <summary>What the broker has not read yet.</summary>
        internal const int LongestOutput = 1048576;
        private const int LinesAhead = 256;
        private static readonly TimeSpan HangingUp = TimeSpan.FromSeconds(2);

        private readonly Stream input, output;
        private readonly Turns writing = new Turns();
        private readonly SemaphoreSlim ahead = new SemaphoreSlim(LinesAhead);
        private int unwritten;

        internal Connection(Stream input, Stream output)
        {
            this.input = input;
            this.output = output;
        }

        /// <summary>Connects to a socket.</summary>
        internal static async Task<Connection> ToAsync(string path)
        {
            var endPoint = new UnixEndPoint(path);
            var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try {
                await Task.Run(() => socket.Connect(endPoint));
            } catch {
                socket.Close();
                throw;
            }
            var stream = new NetworkStream(socket, true);
            return new Connection(stream, stream);
        }

        /// <summary>Whether the broker has left too much unread.</summary>
        internal bool IsFull => Volatile.Read(ref unwritten) > LongestOutput;

        /// <summary>Calls back in turns: with each line, then with why the connection is over.</summary>
        internal void Read(Turns turns, Action<string> receive, Action<Exception> over)
        {
            new Thread(() => {
                Exception reason = null;
                try {
                    ReadLines(line => {
                        ahead.Wait();
                        turns.Post(() => {
                            ahead.Release();
                            receive(line);
                        });
                    });
                } catch (Exception error) when (IsOver(error)) {
                    reason = error;
                }
                Close();
                turns.Post(() => over(reason ?? new DisconnectedException("connection lost")));
            }) { IsBackground = true, Name = "callbroker" }.Start();
        }

        /// <summary>What a stream throws that fails, or is closed meanwhile: disposed, or with neither a
        /// reading nor a writing side.</summary>
        private static bool IsOver(Exception error) => error is IOException || error is InvalidOperationException;

        private void ReadLines(Action<string> receive)
        {
            var line = new MemoryStream();
            var bytes = new byte[65536];
            for (int count; (count = input.Read(bytes, 0, bytes.Length)) > 0;) {
                var begin = 0;
                for (int end; (end = Array.IndexOf(bytes, (byte)'\n', begin, count - begin)) >= 0; begin = end + 1) {
                    line.Write(bytes, begin, end - begin);
                    Ended(line, receive);
                }
                line.Write(bytes, begin, count - begin);
                if (line.Length >= LongestLine) throw new IOException("the broker sent a line without an end");
            }
            Ended(line, receive); // what is left counts as a line
        }

        private static void Ended(MemoryStream line, Action<string> receive)
        {
            var text = Encoding.UTF8.GetString(line.GetBuffer(), 0, (int)line.Length);
            line.SetLength(0);
            if (text.Trim().Length > 0) receive(text);
        }

        internal void Write(byte[] line)
        {
            Interlocked.Add(ref unwritten, line.Length);
            writing.Post(() => {
                try {
                    output.Write(line, 0, line.Length);
                    output.Flush();
                } catch (Exception error) when (IsOver(error)) {
                    Close(); // the reader reports it
                } finally {
                    Interlocked.Add(ref unwritten, -line.Length);
                }
            });
        }

        /// <summary>Closes when all is written, or soon if the broker does not read.</summary>
        internal void CloseSoon()
        {
            writing.Post(Close);
            Task.Delay(HangingUp).ContinueWith(_ => Close());
        }

        internal void Close()
        {
            try {
                input.Dispose();
                output.Dispose();
            } catch (IOException) { // closed it is, all the same
            }
        }
    }
}
