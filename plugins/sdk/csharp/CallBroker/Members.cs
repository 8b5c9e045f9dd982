using System;
using System.Globalization;
using System.IO;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace CallBroker
{
    /// <summary>The members of params, results and events: to write them, and to read them whatever a peer
    /// sends. What is missing or of another type is null, 0 or false.</summary>
    public static class Members
    {
        /// <summary>The depth of JSON that is read.</summary>
        private const int Depth = 64;

        private static readonly JsonSerializer Plain = JsonSerializer.Create(new JsonSerializerSettings());

        /// <summary>Returns an object with one member, also if its value is null.</summary>
        public static JObject Of(string name, object value) => new JObject { { name, Token(value) } };

        /// <summary>Adds a member, unless its value is null.</summary>
        public static JObject And(this JObject members, string name, object value)
        {
            if (value != null) members[name] = Token(value);
            return members;
        }

        /// <summary>Adds a member, also if its value is null.</summary>
        internal static JObject Needing(this JObject members, string name, object value)
        {
            members[name] = Token(value);
            return members;
        }

        /// <summary>Adds the members of another object.</summary>
        internal static JObject With(this JObject members, JObject others)
        {
            foreach (var other in others) members[other.Key] = other.Value.DeepClone();
            return members;
        }

        /// <summary>Returns the members of an object, such as <c>new { call, held = true }</c>. A member
        /// that is null is sent as null.</summary>
        public static JObject From(object members)
        {
            if (members == null) return new JObject();
            return members as JObject ?? JObject.FromObject(members, Plain);
        }

        /// <summary>Returns a string.</summary>
        public static string Text(this JObject members, string name) => members.Value(name) as string;

        /// <summary>Returns an integer.</summary>
        public static long? Number(this JObject members, string name) => members.Value(name) as long?;

        /// <summary>Returns a boolean.</summary>
        public static bool Flag(this JObject members, string name) => members.Value(name) as bool? ?? false;

        /// <summary>Returns an object.</summary>
        public static JObject Member(this JObject members, string name) => members?[name] as JObject;

        /// <summary>Returns a list; one without elements if there is none.</summary>
        public static JArray List(this JObject members, string name) =>
            members?[name] as JArray ?? new JArray();

        private static object Value(this JObject members, string name) => (members?[name] as JValue)?.Value;

        private static JToken Token(object value)
        {
            if (value == null) return JValue.CreateNull();
            return value as JToken ?? JToken.FromObject(value, Plain);
        }

        /// <summary>Returns the object that a line of JSON is; null if it is none.</summary>
        internal static JObject Parse(string line)
        {
            try {
                using (var reader = new JsonTextReader(new StringReader(line)) {
                    DateParseHandling = DateParseHandling.None, MaxDepth = Depth,
                    Culture = CultureInfo.InvariantCulture }) {
                    if (!reader.Read() || reader.TokenType != JsonToken.StartObject) return null;
                    var frame = JObject.Load(reader);
                    return reader.Read() ? null : frame;
                }
            } catch (Exception error) when (!(error is OutOfMemoryException)) {
                return null; // numbers too long for it are of no JsonException
            }
        }

        /// <summary>Returns a line of UTF-8 with its end. Throws if a string is not Unicode.</summary>
        internal static byte[] Line(JObject frame) =>
            Strict.GetBytes(frame.ToString(Formatting.None) + "\n");

        private static readonly Encoding Strict = new UTF8Encoding(false, true);
    }

    /// <summary>The addresses of remote parties, and ids.</summary>
    public static class Handle
    {
        /// <summary>The address of a telephone, best written with + and the country's code.</summary>
        public static JObject Phone(string number) => Of("phone", number);

        /// <summary>An email address.</summary>
        public static JObject Email(string address) => Of("email", address);

        /// <summary>Any other address, such as a SIP URI.</summary>
        public static JObject Generic(string address) => Of("generic", address);

        /// <summary>A fresh id for a call or a transaction.</summary>
        public static string NewId() => Guid.NewGuid().ToString();

        private static JObject Of(string type, string value) =>
            new JObject { { "type", type }, { "value", value } };
    }
}
