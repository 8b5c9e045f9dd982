// A site with a data file in sites/: whether it rings, who calls, who takes part, and its buttons.
"use strict";

(async () => {
  const api = globalThis.browser ?? chrome;
  const BETWEEN_LOOKS_MS = 200;
  const site = await api.runtime.sendMessage("site");
  if (!site) return;

  function shown(selectors) {
    for (const selector of selectors ?? []) {
      for (const element of document.querySelectorAll(selector)) {
        if (element.getClientRects().length > 0) return element;
      }
    }
    return null;
  }

  const buttons = {...site, mute: site.mute?.button, camera: site.camera?.button};

  function press(name) {
    const button = shown(buttons[name]);
    button?.click();
    return button !== null;
  }

  const participants = callbrokerParticipants(site, shown);
  callbrokerFrame.know({
    press,
    has: (name) => shown(buttons[name]) !== null,
    isOff: (name) => shown(name === "mute" ? site.mute?.muted : site.camera?.off) !== null,
    changeParticipant: participants.change,
  });
  if (!site.ring) return;
  callbrokerFrame.connect();                    // the program is there before somebody calls

  let isLooking = false, ring = null, lastCaller = "", didOffer = false;
  function look() {
    isLooking = false;
    const shownRing = shown(site.ring);
    const caller = shownRing ? (shown(site.caller)?.textContent ?? "").trim() : "";
    const answersVideo = shownRing !== null && shown(site.answer_video) !== null;
    if (shownRing === ring && caller === lastCaller && answersVideo === didOffer) return;
    if (shownRing && ring && shownRing !== ring) {
      ring = null;                              // it may be another one: the former is over first
      callbrokerFrame.rings(false, "", false);
      return lookSoon();
    }
    [ring, lastCaller, didOffer] = [shownRing, caller, answersVideo];
    callbrokerFrame.rings(ring !== null, caller, answersVideo);
  }

  function lookSoon() {
    if (isLooking) return;
    isLooking = true;
    setTimeout(look, BETWEEN_LOOKS_MS);
  }
  new MutationObserver(lookSoon).observe(document, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style", "hidden"]});
  look();
})();
