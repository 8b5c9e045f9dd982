using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace Tests
{
    /// <summary>Runs the tests of the classes that are named, or of all: tests.exe [CLASS...].</summary>
    internal static class Testing
    {
        private static int Main(string[] names)
        {
            var classes = Assembly.GetExecutingAssembly().GetTypes()
                .Where(type => type.Name.EndsWith("Tests") && !type.IsAbstract && (names.Length == 0 || names.Contains(type.Name)))
                .OrderBy(type => type.Name).ToList();
            var count = 0;
            var failures = classes.SelectMany(one => one
                .GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
                .Where(method => method.ReturnType == typeof(void) && method.Name != "Dispose" && ++count > 0)
                .Select(method => Failure(one, method)).Where(failure => failure != null)).ToList();
            failures.ForEach(Console.Error.WriteLine);
            Console.WriteLine($"{count} tests, {failures.Count} failed");
            Console.Out.Flush();
            return failures.Count == 0 && count > 0 && classes.Count >= names.Length ? 0 : 1;
        }

        private static string Failure(Type type, MethodInfo test)
        {
            Exception error = null;
            var thread = new Thread(() => {
                try {
                    using (var made = (IDisposable)Activator.CreateInstance(type)) {
                        test.Invoke(made, null);
                    }
                } catch (Exception thrown) {
                    error = (thrown as TargetInvocationException)?.InnerException ?? thrown;
                }
            }) { IsBackground = true };
            thread.Start();
            if (!thread.Join(Check.Ceiling)) error = new TimeoutException("it does not end");
            return error == null ? null : $"{type.Name}.{test.Name}: {error}";
        }
    }

    /// <summary>What tests expect.</summary>
    internal static class Check
    {
        /// <summary>Longer than anything lasts on a busy machine.</summary>
        internal static readonly TimeSpan Ceiling = TimeSpan.FromSeconds(60);

        internal static void Equal(object expected, object actual)
        {
            var wanted = Json(expected);
            var found = Json(actual);
            if (!JToken.DeepEquals(wanted, found)) throw new Exception($"expected {wanted}\nfound {found}");
        }

        internal static void True(bool condition, string what)
        {
            if (!condition) throw new Exception($"not so: {what}");
        }

        private static JToken Json(object value) => value == null ? JValue.CreateNull() : JToken.FromObject(value);

        /// <summary>Waits for a task.</summary>
        internal static T Within<T>(this Task<T> task)
        {
            ((Task)task).Within();
            return task.Result;
        }

        internal static void Within(this Task task)
        {
            try {
                if (!task.Wait(Ceiling)) throw new TimeoutException("the task does not end");
            } catch (AggregateException errors) {
                throw new Exception(errors.InnerException.Message, errors.InnerException);
            }
        }

        /// <summary>Returns the error of a task.</summary>
        internal static T Error<T>(this Task task) where T : Exception
        {
            try {
                task.Within();
            } catch (Exception error) when (error.InnerException is T expected) {
                return expected;
            }
            throw new Exception($"no {typeof(T).Name}");
        }
    }

    /// <summary>What comes, in order, and is waited for.</summary>
    internal sealed class Arrivals<T>
    {
        private readonly BlockingCollection<T> arrived = new BlockingCollection<T>();

        internal void Add(T one) => arrived.Add(one);

        internal T Next()
        {
            if (!arrived.TryTake(out var one, Check.Ceiling - TimeSpan.FromSeconds(20))) throw new TimeoutException("nothing comes");
            return one;
        }

        internal List<T> Next(int count) => Enumerable.Range(0, count).Select(_ => Next()).ToList();

        internal int Count => arrived.Count;
    }
}
