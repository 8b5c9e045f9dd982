using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Foundation
{
    /// <summary>The base of Apple's classes.</summary>
    public class NSObject : IDisposable
    {
        /// <summary>Nothing to free here.</summary>
        public void Dispose()
        {
        }
    }

    /// <summary>The name by which a class is found, such as that of the app's delegate.</summary>
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RegisterAttribute : Attribute
    {
        /// <summary>Names a class.</summary>
        public RegisterAttribute(string name)
        {
            Name = name;
        }

        /// <summary>The name.</summary>
        public string Name { get; }
    }

    /// <summary>An id of a call or an action.</summary>
    public sealed class NSUuid : NSObject, IEquatable<NSUuid>
    {
        /// <summary>Makes a fresh id.</summary>
        public NSUuid() : this(Guid.NewGuid())
        {
        }

        /// <summary>Reads an id; throws FormatException if it is none.</summary>
        public NSUuid(string text) : this(Guid.Parse(text))
        {
        }

        internal NSUuid(Guid value)
        {
            Value = value;
        }

        internal Guid Value { get; }

        /// <summary>The id in capitals, as Apple writes it.</summary>
        public string AsString() => Value.ToString().ToUpperInvariant();

        /// <inheritdoc/>
        public override string ToString() => AsString();

        /// <summary>Whether both are the same id.</summary>
        public bool Equals(NSUuid other) => other != null && other.Value == Value;

        /// <inheritdoc/>
        public override bool Equals(object other) => Equals(other as NSUuid);

        /// <inheritdoc/>
        public override int GetHashCode() => Value.GetHashCode();
    }

    /// <summary>A string, where Apple's API has one as an object.</summary>
    public sealed class NSString : NSObject
    {
        private readonly string value;

        /// <summary>Wraps a string.</summary>
        public NSString(string value)
        {
            this.value = value ?? "";
        }

        /// <inheritdoc/>
        public override string ToString() => value;

        /// <inheritdoc/>
        public override bool Equals(object other) => (other as NSString)?.value == value;

        /// <inheritdoc/>
        public override int GetHashCode() => value.GetHashCode();

        /// <summary>The string in it.</summary>
        public static implicit operator string(NSString text) => text?.value;

        /// <summary>Wraps a string.</summary>
        public static explicit operator NSString(string text) => text == null ? null : new NSString(text);
    }

    /// <summary>An integer, where Apple's API has one as an object.</summary>
    public sealed class NSNumber : NSObject
    {
        private NSNumber(long value)
        {
            Int64Value = value;
        }

        /// <summary>The number.</summary>
        public long Int64Value { get; }

        /// <summary>The number.</summary>
        public int Int32Value => (int)Int64Value;

        /// <summary>Wraps a number.</summary>
        public static implicit operator NSNumber(int value) => new NSNumber(value);

        /// <summary>Wraps a number.</summary>
        public static implicit operator NSNumber(long value) => new NSNumber(value);

        /// <inheritdoc/>
        public override bool Equals(object other) => (other as NSNumber)?.Int64Value == Int64Value;

        /// <inheritdoc/>
        public override int GetHashCode() => Int64Value.GetHashCode();
    }

    /// <summary>A set.</summary>
    public sealed class NSSet<T> : NSObject, IEnumerable<T>
    {
        private readonly HashSet<T> members;

        /// <summary>Makes a set.</summary>
        public NSSet(params T[] members)
        {
            this.members = new HashSet<T>(members);
        }

        /// <summary>Whether it has a member.</summary>
        public bool Contains(T member) => members.Contains(member);

        /// <summary>The number of members.</summary>
        public int Count => members.Count;

        /// <inheritdoc/>
        public IEnumerator<T> GetEnumerator() => members.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    /// <summary>Options, by their names.</summary>
    public sealed class NSDictionary : NSObject
    {
        private readonly Dictionary<string, object> members = new Dictionary<string, object>();

        /// <summary>The value of a name; null if there is none.</summary>
        public object this[string name]
        {
            get => members.TryGetValue(name, out var value) ? value : null;
            set => members[name] = value;
        }
    }

    /// <summary>Bytes.</summary>
    public sealed class NSData : NSObject
    {
        private readonly byte[] bytes;

        internal NSData(byte[] bytes)
        {
            this.bytes = bytes;
        }

        /// <summary>Reads a file; null if it cannot be read.</summary>
        public static NSData FromFile(string path)
        {
            try {
                return new NSData(File.ReadAllBytes(path));
            } catch (Exception error) when (error is IOException || error is UnauthorizedAccessException) {
                return null;
            }
        }

        /// <summary>A copy of the bytes.</summary>
        public byte[] ToArray() => (byte[])bytes.Clone();
    }

    /// <summary>A moment.</summary>
    public sealed class NSDate : NSObject
    {
        internal NSDate(DateTime time)
        {
            Time = time.ToUniversalTime();
        }

        internal DateTime Time { get; }

        /// <summary>This moment.</summary>
        public static NSDate Now => new NSDate(DateTime.UtcNow);

        /// <summary>The moment as .NET has it; its kind is UTC.</summary>
        public static explicit operator DateTime(NSDate date) => date.Time;

        /// <summary>The moment of .NET; one of no kind is local.</summary>
        public static explicit operator NSDate(DateTime time) => new NSDate(time);

        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

        /// <summary>The Unix time, in milliseconds; null if it is none of the protocol's.</summary>
        internal long? UnixMs => Time < Epoch ? (long?)null : (long)(Time - Epoch).TotalMilliseconds;
    }

    /// <summary>Conversions that apps write for themselves, and need not here.</summary>
    public static class DateTimeExtensions
    {
        /// <summary>The moment as Apple's API has it.</summary>
        public static NSDate ToNSDate(this DateTime time) => (NSDate)time;
    }

    /// <summary>A link.</summary>
    public sealed class NSUrl : NSObject
    {
        private readonly Uri uri;

        /// <summary>Reads a link; throws UriFormatException if it is none.</summary>
        public NSUrl(string text)
        {
            uri = new Uri(text, UriKind.Absolute);
        }

        /// <summary>Reads a link; null if it is none.</summary>
        public static NSUrl FromString(string text) =>
            Uri.TryCreate(text, UriKind.Absolute, out var _) ? new NSUrl(text) : null;

        /// <summary>What is before the colon.</summary>
        public string Scheme => uri.Scheme;

        /// <summary>The host; null if there is none.</summary>
        public string Host => uri.Host.Length == 0 ? null : uri.Host;

        /// <summary>What is behind the scheme of a link without slashes, or the path.</summary>
        public string Path => uri.AbsolutePath;

        /// <summary>The whole link.</summary>
        public string AbsoluteString => uri.OriginalString;

        /// <inheritdoc/>
        public override string ToString() => AbsoluteString;
    }

    /// <summary>An error with Apple's domain and number, and a text for people.</summary>
    public sealed class NSError : NSObject
    {
        /// <summary>Makes an error.</summary>
        public NSError(NSString domain, int code, string description = null)
        {
            Domain = domain;
            Code = code;
            LocalizedDescription = description ?? $"error {code} of {Domain}";
        }

        /// <summary>The domain of the number.</summary>
        public string Domain { get; }
        /// <summary>The number.</summary>
        public int Code { get; }
        /// <summary>What happened, why, and what to do.</summary>
        public string LocalizedDescription { get; }

        /// <inheritdoc/>
        public override string ToString() => LocalizedDescription;
    }

    /// <summary>An error that a task has.</summary>
    public sealed class NSErrorException : Exception
    {
        /// <summary>Wraps an error.</summary>
        public NSErrorException(NSError error) : base(error.LocalizedDescription)
        {
            Error = error;
        }

        /// <summary>The error.</summary>
        public NSError Error { get; }
    }

    /// <summary>Something that the user wants, and the app is to go on with.</summary>
    public sealed class NSUserActivity : NSObject
    {
        private Intents.INInteraction interaction;

        /// <summary>Makes an activity.</summary>
        public NSUserActivity(string activityType)
        {
            ActivityType = activityType;
        }

        /// <summary>What it is.</summary>
        public string ActivityType { get; }

        /// <summary>The interaction with the intent.</summary>
        public Intents.INInteraction GetInteraction() => interaction;

        internal NSUserActivity With(Intents.INIntent intent)
        {
            interaction = new Intents.INInteraction(intent);
            return this;
        }

        /// <inheritdoc/>
        public override string ToString() => ActivityType;
    }
}
