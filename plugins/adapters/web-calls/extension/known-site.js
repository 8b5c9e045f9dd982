// A site with a data file in sites/: whether it rings, who calls, and its buttons.
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

  function press(name) {
    const button = shown(name === "mute" ? site.mute?.button : site[name]);
    button?.click();
    return button !== null;
  }

  callbrokerFrame.know({
    press,
    canMute: () => shown(site.mute?.button) !== null,
    isMuted: () => shown(site.mute?.muted) !== null,
  });
  if (!site.ring) return;
  callbrokerFrame.connect();                    // the program is there before somebody calls

  let isLooking = false, ring = null, lastCaller = "";
  function look() {
    isLooking = false;
    const shownRing = shown(site.ring);
    const caller = shownRing ? (shown(site.caller)?.textContent ?? "").trim() : "";
    if (shownRing === ring && caller === lastCaller) return;
    if (shownRing && ring && shownRing !== ring) {
      ring = null;                              // it may be another one: the former is over first
      callbrokerFrame.rings(false, "");
      return lookSoon();
    }
    [ring, lastCaller] = [shownRing, caller];
    callbrokerFrame.rings(ring !== null, caller);
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
