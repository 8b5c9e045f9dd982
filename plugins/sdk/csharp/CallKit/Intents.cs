using Foundation;

namespace Intents
{
    /// <summary>What the user wants.</summary>
    public abstract class INIntent : NSObject
    {
    }

    /// <summary>A call that the user wants to start.</summary>
    public abstract class INStartCallKindIntent : INIntent
    {
        internal INStartCallKindIntent(INPerson[] contacts)
        {
            Contacts = contacts;
        }

        /// <summary>Whom to call.</summary>
        public INPerson[] Contacts { get; }
    }

    /// <summary>A call with sound.</summary>
    public sealed class INStartAudioCallIntent : INStartCallKindIntent
    {
        /// <summary>Makes an intent.</summary>
        public INStartAudioCallIntent(params INPerson[] contacts) : base(contacts)
        {
        }
    }

    /// <summary>A call with video.</summary>
    public sealed class INStartVideoCallIntent : INStartCallKindIntent
    {
        /// <summary>Makes an intent.</summary>
        public INStartVideoCallIntent(params INPerson[] contacts) : base(contacts)
        {
        }
    }

    /// <summary>The intent of an activity.</summary>
    public sealed class INInteraction : NSObject
    {
        /// <summary>Makes an interaction.</summary>
        public INInteraction(INIntent intent)
        {
            Intent = intent;
        }

        /// <summary>The intent.</summary>
        public INIntent Intent { get; }
    }

    /// <summary>Somebody.</summary>
    public sealed class INPerson : NSObject
    {
        /// <summary>Makes a person.</summary>
        public INPerson(INPersonHandle handle, string displayName = null)
        {
            PersonHandle = handle;
            DisplayName = displayName ?? "";
        }

        /// <summary>The address.</summary>
        public INPersonHandle PersonHandle { get; }
        /// <summary>The name.</summary>
        public string DisplayName { get; }
    }

    /// <summary>The kind of an address.</summary>
    public enum INPersonHandleType
    {
        /// <summary>Another one.</summary>
        Unknown,
        /// <summary>An email address.</summary>
        EmailAddress,
        /// <summary>A number.</summary>
        PhoneNumber,
    }

    /// <summary>An address.</summary>
    public sealed class INPersonHandle : NSObject
    {
        /// <summary>Makes an address.</summary>
        public INPersonHandle(string value, INPersonHandleType type)
        {
            Value = value;
            Type = type;
        }

        /// <summary>The number or address.</summary>
        public string Value { get; }
        /// <summary>Its kind.</summary>
        public INPersonHandleType Type { get; }
    }

    /// <summary>The intents that an app may support.</summary>
    public enum INIntentIdentifier
    {
        /// <summary>A call with sound.</summary>
        StartAudioCall,
        /// <summary>A call with video.</summary>
        StartVideoCall,
    }

    /// <summary>The names of intents.</summary>
    public static class INIntentIdentifierExtensions
    {
        /// <summary>The type of the activity that has the intent.</summary>
        public static NSString GetConstant(this INIntentIdentifier identifier) =>
            new NSString($"IN{identifier}IntentIdentifier");
    }
}
