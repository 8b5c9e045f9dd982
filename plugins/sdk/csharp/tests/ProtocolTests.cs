using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using CallBroker;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>The broker's own description: every example is written by its method as it stands, and every
    /// name and every error is known.</summary>
    public sealed class ProtocolTests : Scripted
    {
        private static readonly Lazy<JObject> Document = new Lazy<JObject>(() => {
            using (var broker = new RealBroker())
            using (var client = new Client("a", broker.Options)) {
                client.OpenAsync().Within();
                return client.RequestAsync("rpc.discover").Within();
            }
        });

        private static readonly HashSet<string> Own = new HashSet<string> {
            "broker.hello", "broker.cancel", "broker.goodbye", "events.unsubscribe" };

        /// <summary>All but those that a broker has in test mode only.</summary>
        private static IEnumerable<JObject> Methods => Document.Value.List("methods").Cast<JObject>()
            .Where(method => !method.Text("name").StartsWith("test."));

        private static string Pascal(string name) => string.Concat(
            name.Split('.', '_').Select(word => char.ToUpperInvariant(word[0]) + word.Substring(1)));

        private static string Camel(string name) => char.ToLowerInvariant(Pascal(name)[0]) + Pascal(name).Substring(1);

        public void EveryExampleIsWrittenByItsMethod()
        {
            var client = new Client("a", Broker.Options);
            var peer = Enter(client);
            peer.Greet();
            client.OpenAsync().Within();
            var count = 0;
            foreach (var method in Methods.Where(one => one.Text("x-direction") != "to_client")) {
                if (Own.Contains(method.Text("name"))) continue;
                foreach (var example in method.List("examples")) {
                    var members = new JObject(example["params"].Select(
                        one => new JProperty(one.Value<string>("name"), one["value"])));
                    var needed = method.List("params").Where(one => (bool)one["required"])
                        .Select(one => one.Value<string>("name")).ToList();
                    foreach (var member in members.Properties().ToList()) { // null clears it: by RequestAsync alone
                        if (member.Value.Type == JTokenType.Null && !needed.Contains(member.Name)) member.Remove();
                    }
                    Sent(client, method, members);
                    Check.Equal(members, peer.Read(method.Text("name"))["params"]);
                    count++;
                }
            }
            Check.True(count > 100, "there are examples");
        }

        private static void Sent(Client client, JObject method, JObject members)
        {
            var name = Pascal(method.Text("name")) + (method["result"] == null ? "" : "Async");
            var function = typeof(Requests).GetMethod(name) ?? throw new Exception($"no {name}");
            var given = members.Properties().ToDictionary(member => Camel(member.Name), member => member.Value);
            var arguments = function.GetParameters().Select(parameter =>
                parameter.ParameterType == typeof(Client) ? client
                : given.TryGetValue(parameter.Name, out var value) ? Argument(value, parameter.ParameterType)
                : parameter.ParameterType.IsValueType ? Activator.CreateInstance(parameter.ParameterType) : null);
            (function.Invoke(null, arguments.ToArray()) as Task)?.ContinueWith(task => task.Exception);
        }

        private static object Argument(JToken value, Type type) =>
            type == typeof(object) ? value : value.ToObject(type);

        public void EveryNameThatTheBrokerSendsIsKnown()
        {
            Func<Type, IEnumerable<string>> names = type =>
                type.GetFields().Select(field => (string)field.GetValue(null)).OrderBy(name => name);
            var sent = Methods.Where(one => one.Text("x-direction") != "to_broker").ToList();
            Check.Equal(sent.Where(one => one["x-topic"] == null).Select(one => one.Text("name"))
                            .OrderBy(name => name), names(typeof(Received)));
            Check.Equal(sent.Select(one => one.Text("x-topic")).Where(topic => topic != null)
                            .OrderBy(topic => topic), names(typeof(Topics)));
        }

        public void EveryErrorHasItsName()
        {
            var errors = Methods.SelectMany(one => one.List("errors")).ToList();
            Check.True(errors.Count > 100, "there are errors");
            foreach (var error in errors) {
                Check.Equal(error["message"], BrokerException.Names[error.Value<int>("code")]);
            }
        }
    }
}
