import Foundation
import Intents

protocol SpkStartCallConvertible {
    var startCallHandle: String? { get }
    var video: Bool? { get }
}

extension SpkStartCallConvertible {
    var video: Bool? { nil }
}

protocol SpkSupportedIntent {
    var contacts: [INPerson]? { get }
}

extension INStartAudioCallIntent: SpkSupportedIntent {}
extension INStartVideoCallIntent: SpkSupportedIntent {}

extension NSUserActivity: SpkStartCallConvertible {
    var startCallHandle: String? {
        guard let interaction = interaction,
            let startCallIntent = interaction.intent as? SpkSupportedIntent,
            let contact = startCallIntent.contacts?.first
        else { return nil }
        return contact.personHandle?.value
    }

    var video: Bool? {
        guard let interaction = interaction, interaction.intent is SpkSupportedIntent else {
            return nil
        }
        return interaction.intent is INStartVideoCallIntent
    }
}
