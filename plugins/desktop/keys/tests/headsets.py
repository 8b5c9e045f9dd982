"""Report descriptors of headsets, and where each comes from.

`PUBLISHED` are the bytes of real devices. `CONSTRUCTED` follow what makers and others document of
the reports of a device, because its own bytes are not published: they show that the parser reads
such reports, and nothing about the device.
"""


def descriptor(text):
    """The bytes of lines of hexadecimal digits."""
    return bytes.fromhex("".join(text.split()))


# Dell SP325 (413c:8223), a speakerphone for Teams: dumped from sysfs on 2026-05-13, published in the
# module of a decoder for it (SP325_DESCRIPTOR). Hook 0x22, mute 0x06 in report 5.
DELL = descriptor("""
    050c0901a101850c1500250109e909ea09e209cd09b509b609b009b1750195088102c00613ff0901a101150026ff0085
    0609007508953d9102850709007508953d8102c00614ff0901a101150026ff00851009007508 95058102c00699ff0901
    a101859a150026ff00953f75080903b102859b150025019501750109048106750195078101c0050b0905a10115002501
    75018505092095018122092f95018106092409210997092a09509505810609070509090175019501810205088505 0917
    0909091809200921092a9506912295029101c0""")

# Logitech MX Brio (046d:0944), a camera with a mute key for calls: from the IORegistry of a Mac,
# published in a script that prints it. Mute and hook 0x06 in report 8.
LOGITECH = descriptor("""
    0600ff0901a1018540150025010902750195018106090375019501810695068101
    8541150026ff00090195027508910285420901810285430901810285440901950
    491028545090181028546950209018102854709018102c00601ff0901a101850a
    150026ff000901951f75088102c00602ff0901a1010509190129011500257f850
    1950175088102c006a1ff0903a1018555150026ff000903950675088102c00699
    ff0903a101859a0903150026ff00951f75080903b20201c0050b0905a10185081
    5002501092f750195018106092075019501812295068101050885080909750195
    019122050b092a75019501912295069101c0""")

# Anker PowerConf (291a:3301), a speakerphone: input dumped from sysfs, output as the device reports
# it, published in a test of a program for it. Its keys are declared constant (0x23, 0x07).
ANKER = descriptor("""
    050c0901a10185011500250109e909ea09e209cd09b509b609b309b7750195088142c0050b0905a1018502050b1500
    25010920099775019502 8123092f092109700950750195048107050809170909091809200921750195059122
    95039103c0""")

# Plantronics Blackwire 3220 (047f:c056): as Windows has it, in a comment on the pull request
# libusb/hidapi#262. The comment is quoted to the report for ringing; the end of that is added here.
PLANTRONICS = descriptor("""
    050b0905a1018508092f15002501750195018106092009211500250175019502 8122
    850905080909150025017501950191228517091715002501750195019122
    8518091815002501750195019122c0""")

# Jabra: report 2 as its developers' documentation has it (hook switch, line busy, mute, flash, redial,
# button 7 to decline; lamps off-hook, mute, ring, hold, microphone; ringer).
JABRA = descriptor("""
    050c0901a1018501150025010 9ea09e909e2750195038102950d8101c0
    050b0905a10185021500250109200997750195028122092f092109240950 95048106
    0907 0509 9501 8102 7501 9509 8101
    0508 09170909091809200921 9505 9122 050b 099e 9501 9122 950a 9101 c0""")

# Sennheiser SC 660 (1395): the usages that the softphone X-Lite lists for it (talk 000B0020, mute toggle
# 000B002F; lamps 00080017, 0008002A, 00080009).
SENNHEISER = descriptor("""
    050b0905a1018501150025010920092f750195028102950681010508091709 2a0909 9503 9102 9505 9101 c0""")

# Yealink (6993): report 4, nested in a further collection, as the comments on pull requests 122 and 150
# of purecloudlabs/softphone-vendor-headsets describe it.
YEALINK = descriptor("""
    050b0905a1010905a1028504150025010920750195018122092f810609218106 09268106
    050705090907810295038101050809170909091809209504912295049101c0c0""")

PUBLISHED = {"Dell": DELL, "Logitech": LOGITECH, "Anker": ANKER, "Plantronics": PLANTRONICS}
CONSTRUCTED = {"Jabra": JABRA, "Sennheiser": SENNHEISER, "Yealink": YEALINK}
ALL = {**PUBLISHED, **CONSTRUCTED}
