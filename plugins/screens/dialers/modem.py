"""The modem that dialers see: constants of ModemManager, and what the modem says of itself."""
from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict

from dbus_fast import Variant

from callbroker import (AlreadyExists, BrokerError, Cancelled, DeadlineExceeded, Disconnected,
                        InvalidParams, InvalidState, LimitReached, MethodNotFound, NotFound,
                        Overloaded, PermissionDenied, ProviderGone, Stopping)
from exported import Interface, Method, Refused

MM = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
MODEM_PATH = ROOT + "/Modem/0"
SIM_PATH = ROOT + "/SIM/0"
MODEM, SIM, GSM = MM + ".Modem", MM + ".Sim", MM + ".Modem.Modem3gpp"
VOICE, CALL = MM + ".Modem.Voice", MM + ".Call"
VERSION = "1.20.0"                              # whose interfaces these are

# MMCallState
UNKNOWN, DIALING, RINGING_OUT, RINGING_IN, ACTIVE, HELD, WAITING, TERMINATED = range(8)
# MMCallStateReason
(NO_REASON, OUTGOING_STARTED, INCOMING_NEW, ACCEPTED, ENDED, REFUSED_OR_BUSY, ERROR,
 AUDIO_SETUP_FAILED, TRANSFERRED, DEFLECTED) = range(10)
# MMCallDirection
INCOMING, OUTGOING = 1, 2
# MMModemState, MMModemPowerState, MMModemLock, MMModem3gppRegistrationState
REGISTERED, POWER_ON, UNLOCKED, HOME = 8, 3, 1, 1
CAPABILITY_GSM, ANY_MODE, ANY_BAND, SIM_IS_ACTIVE = 4, 0xFFFFFFFF, 256, True

CORE = MM + ".Error.Core."
WRONG_STATE, NO_SUCH = CORE + "WrongState", CORE + "NotFound"
INVALID, UNSUPPORTED, ABORTED = CORE + "InvalidArgs", CORE + "Unsupported", CORE + "Aborted"
ERRORS = {
    PermissionDenied: CORE + "Unauthorized", NotFound: NO_SUCH, AlreadyExists: CORE + "Exists",
    InvalidState: WRONG_STATE, LimitReached: CORE + "TooMany", InvalidParams: INVALID,
    MethodNotFound: UNSUPPORTED, DeadlineExceeded: ABORTED, Cancelled: CORE + "Cancelled",
    ProviderGone: ABORTED, Overloaded: CORE + "Retry", Stopping: CORE + "Retry"}


def refused(error: Exception) -> Refused:
    """An error of the broker, or of the connection to it, as one of ModemManager."""
    if isinstance(error, Disconnected):
        return Refused(ABORTED, "the broker is gone: try again when the calls are back")
    if not isinstance(error, BrokerError):
        return Refused(CORE + "Failed", str(error))
    if error.reason == "not_supported":
        return Refused(UNSUPPORTED, str(error))
    said = (error.data.get("provider_error") or {}).get("message")      # the app's own words
    if said:
        return Refused(CORE + "Failed", str(said))
    name = next((name for kind, name in ERRORS.items() if isinstance(error, kind)),
                CORE + "Failed")
    return Refused(name, f"{error} ({error.hint})" if error.hint else str(error))


def unsupported(takes: str = "", gives: str = "") -> Method:
    """A method of modems that has no meaning for calls."""
    async def perform(*_: Any) -> None:
        raise Refused(UNSUPPORTED, "this modem stands for the calls of apps: it has no radio")
    return Method(takes, gives, perform)


def accepted(takes: str = "") -> Method:
    """A method that asks for what is so already."""
    async def perform(*_: Any) -> None:
        pass
    return Method(takes, "", perform)


def manager() -> Interface:
    """The interface of ModemManager itself."""
    return Interface(MM, {"Version": Variant("s", VERSION)}, {
        "ScanDevices": accepted(), "SetLogging": accepted("s"),
        "ReportKernelEvent": unsupported("a{sv}"), "InhibitDevice": unsupported("sb")})


def modem(list_bearers: Callable[[], Awaitable[Any]]) -> Interface:
    """The modem, as complete as mmcli and the dialers read it."""
    words = {"Device": "/callbroker", "DeviceIdentifier": "callbroker", "Plugin": "callbroker",
             "Manufacturer": "CallBroker", "Model": "CallBroker", "Revision": "",
             "HardwareRevision": "", "CarrierConfiguration": "", "CarrierConfigurationRevision": "",
             "EquipmentIdentifier": "callbroker", "PrimaryPort": ""}
    values: Dict[str, Variant] = {name: Variant("s", word) for name, word in words.items()}
    numbers = {"UnlockRequired": UNLOCKED, "CurrentCapabilities": CAPABILITY_GSM, "MaxBearers": 0,
               "MaxActiveBearers": 0, "MaxActiveMultiplexedBearers": 0, "AccessTechnologies": 0,
               "StateFailedReason": 0, "PowerState": POWER_ON, "SupportedIpFamilies": 0,
               "PrimarySimSlot": 0}
    values.update({name: Variant("u", number) for name, number in numbers.items()})
    values.update({
        "Sim": Variant("o", SIM_PATH), "SimSlots": Variant("ao", []),
        "Bearers": Variant("ao", []), "SupportedCapabilities": Variant("au", [CAPABILITY_GSM]),
        "State": Variant("i", REGISTERED), "Drivers": Variant("as", []),
        "Ports": Variant("a(su)", []), "OwnNumbers": Variant("as", []),
        "UnlockRetries": Variant("a{uu}", {}), "SignalQuality": Variant("(ub)", [100, False]),
        "SupportedModes": Variant("a(uu)", []), "CurrentModes": Variant("(uu)", [ANY_MODE, 0]),
        "SupportedBands": Variant("au", []), "CurrentBands": Variant("au", [ANY_BAND])})
    return Interface(MODEM, values, {
        "Enable": accepted("b"), "ListBearers": Method("", "ao", list_bearers),
        "CreateBearer": unsupported("a{sv}", "o"), "DeleteBearer": unsupported("o"),
        "Reset": unsupported(), "FactoryReset": unsupported("s"),
        "SetPowerState": unsupported("u"), "SetCurrentCapabilities": unsupported("u"),
        "SetCurrentModes": unsupported("(uu)"), "SetCurrentBands": unsupported("au"),
        "SetPrimarySimSlot": unsupported("u"), "GetCellInfo": unsupported("", "aa{sv}"),
        "Command": unsupported("su", "s")}, {"StateChanged": "iiu"})


def network() -> Interface:
    """The network of the modem: without it Plasma Dialer looks for no calls."""
    return Interface(GSM, {
        "Imei": Variant("s", ""), "RegistrationState": Variant("u", HOME),
        "OperatorCode": Variant("s", ""), "OperatorName": Variant("s", "CallBroker"),
        "EnabledFacilityLocks": Variant("u", 0), "SubscriptionState": Variant("u", 0),
        "EpsUeModeOperation": Variant("u", 0), "Pco": Variant("a(ubay)", []),
        "InitialEpsBearer": Variant("o", "/"), "InitialEpsBearerSettings": Variant("a{sv}", {}),
        "PacketServiceState": Variant("u", 0), "Nr5gRegistrationSettings": Variant("a{sv}", {})}, {
            "Register": accepted("s"), "Scan": unsupported("", "aa{sv}")})


def sim() -> Interface:
    """The card of the modem: Plasma Dialer names calls by it, and needs one."""
    words = {"SimIdentifier": "callbroker", "Imsi": "", "Eid": "", "OperatorIdentifier": "",
             "OperatorName": "CallBroker"}
    values: Dict[str, Variant] = {name: Variant("s", word) for name, word in words.items()}
    values.update({"Active": Variant("b", SIM_IS_ACTIVE), "EmergencyNumbers": Variant("as", []),
                   "PreferredNetworks": Variant("a(su)", []), "Gid1": Variant("ay", b""),
                   "Gid2": Variant("ay", b""), "SimType": Variant("u", 0),
                   "EsimStatus": Variant("u", 0), "Removability": Variant("u", 0)})
    return Interface(SIM, values, {
        "SendPin": unsupported("s"), "SendPuk": unsupported("ss"),
        "EnablePin": unsupported("sb"), "ChangePin": unsupported("ss")})
