// Who takes part in the meeting of a site, as the site's own list shows it while it is open.
"use strict";

var callbrokerParticipants = (site, shown) => {
  const BETWEEN_LOOKS_MS = 200, MOST = 1000, LONGEST = 128;
  const list = site.participants, hand = site.raise_hand;
  if (!list) return {change: () => false};

  function has(row, selectors) {
    return (selectors ?? []).some((each) => row.matches(each) || row.querySelector(each) !== null);
  }

  function first(row, selectors) {
    for (const selector of selectors ?? []) {
      const element = row.querySelector(selector);
      if (element) return element;
    }
    return null;
  }

  function isHandRaised(row, isSelf) {
    return has(row, list.hand_raised) || isSelf && shown(hand?.raised) !== null;
  }

  function changeable(row, isSelf) {
    if (isSelf) return shown(hand?.button) ? ["hand_raised"] : [];
    return has(row, list.mute) ? ["muted"] : [];
  }

  function read(row, participant) {
    const self = has(row, list.self);
    return {
      participant, self, name: (first(row, list.name)?.textContent ?? "").trim().slice(0, LONGEST),
      muted: list.muted && has(row, list.muted), hand_raised: isHandRaised(row, self),
      changeable: changeable(row, self),
    };
  }

  // The rows by the ids of their participants; what is beyond the most is not looked at.
  function rows() {
    const found = new Map();
    for (const row of document.querySelectorAll(list.each.join(","))) {
      const id = row.getAttribute(list.id) ?? "";
      if (id !== "" && id.length <= LONGEST) found.set(id, row);
      if (found.size === MOST) break;
    }
    return found;
  }

  let isLooking = false, last = "[]", known = new Map();
  function look() {
    isLooking = false;
    const all = [...rows()].map(([id, row]) => read(row, id));
    const text = JSON.stringify(all);
    if (text === last) return;
    last = text;
    known = new Map(all.map((each) => [each.participant, each]));
    callbrokerFrame.lists(all);
  }

  function lookSoon() {
    if (isLooking) return;
    isLooking = true;
    setTimeout(look, BETWEEN_LOOKS_MS);
  }
  new MutationObserver(lookSoon).observe(document, {
    childList: true, subtree: true, attributes: true, characterData: true});
  look();

  function press(button) {
    button?.click();
    return button !== null && button !== undefined;
  }

  return {
    // Presses the button that a participant has for the change, unless it is so already.
    async change({participant, member, value}) {
      const isDone = () => known.get(participant)?.[member] === value;
      if (isDone()) return true;
      if (!known.get(participant)?.changeable.includes(member)) return false;
      const button = member === "hand_raised" ? shown(hand.button)
        : value ? first(rows().get(participant), list.mute) : null;
      return press(button) && callbrokerFrame.until(isDone);
    },
  };
};
