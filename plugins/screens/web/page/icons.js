// Pictures of the buttons: lines on a field of 24 by 24.

const PATHS = {
    answer: "M6.6 3.5 9 3l1.7 4.2-2 1.6a12 12 0 0 0 6.5 6.5l1.6-2L21 15l-.5 2.4c-.3 1.6-1.7 2.7-3.3 2.6C9.900 19.600 4.400 14.100 4 6.800c-.1-1.600 1-3 2.600-3.300Z",
    end: "M3 14.500c0-1.800 4-4.500 9-4.500s9 2.700 9 4.500c0 1-.2 1.800-.6 2.500l-4.400-1-.4-2.500a13 13 0 0 0-7.200 0L8 16l-4.400 1c-.4-.7-.6-1.500-.6-2.500Z",
    hold: "M9 6v12M15 6v12",
    resume: "M8 5.500v13l10.500-6.500Z",
    swap: "M7 4 3.500 7.500 7 11M3.500 7.500H17M17 13l3.500 3.500L17 20M20.500 16.500H7",
    mute: "M9 5.500a3 3 0 0 1 6 0v6a3 3 0 0 1-.3 1.300M9 9v2.500a3 3 0 0 0 4.200 2.700M5.500 11a6.500 6.500 0 0 0 10.700 5M18.500 11c0 1-.2 1.800-.5 2.600M12 17.500V21M4 3.500l16 17",
    unmute: "M12 2.500a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0v-6a3 3 0 0 0-3-3ZM5.500 11a6.500 6.500 0 0 0 13 0M12 17.500V21",
    merge: "M5 19l7-8 7 8M12 11V4M8.500 7 12 3.500 15.500 7",
    split: "M12 20v-8L5.500 5.500M12 12l6.500-6.500M5.500 10V5.500H10M18.500 10V5.500H14",
    transfer: "M14 5h5v5M19 5l-7 7M10 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-4",
    keypad: "M6 5.500h.01M12 5.500h.01M18 5.500h.01M6 12h.01M12 12h.01M18 12h.01M6 18.500h.01M12 18.500h.01M18 18.500h.01",
    sound: "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500ZM15.500 9a4.500 4.500 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
    silence: "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500ZM16 9.500l5 5M21 9.500l-5 5",
    video: "M3.500 7.500h11v9h-11ZM14.500 11l6-3v8l-6-3Z",
    text: "M4 5.500h16v11H9.500L5.500 20v-3.500H4ZM8 9.500h8M8 12.500h5",
    dial: "M6 5.500h.01M12 5.500h.01M18 5.500h.01M6 12h.01M12 12h.01M18 12h.01M6 18.500h.01M12 18.500h.01M18 18.500h.01",
    calls: "M6.600 3.500 9 3l1.700 4.200-2 1.600a12 12 0 0 0 6.500 6.500l1.600-2L21 15l-.5 2.400c-.3 1.600-1.700 2.700-3.300 2.600C9.900 19.600 4.400 14.100 4 6.800c-.1-1.600 1-3 2.600-3.300ZM15 4a6 6 0 0 1 5 5",
    history: "M4 12a8 8 0 1 0 2.500-5.800L4 8.500M4 4v4.500h4.500M12 8v4.500l3 2",
    contacts: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.500 20c.5-3.500 3.500-5.500 7.500-5.500s7 2 7.500 5.500",
    block: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM6 6l12 12",
    settings: "M4 7h9M17 7h3M15 4.800v4.400M4 12h3M11 12h9M9 9.800v4.400M4 17h9M17 17h3M15 14.800v4.400",
    plugins: "M9 3.500V8M15 3.500V8M6.500 8h11v3.500a5.500 5.500 0 0 1-11 0ZM12 17v3.500",
    why: "M9.500 9.500a2.500 2.500 0 1 1 3.700 2.200c-.8.4-1.200 1-1.200 1.800v.3M12 17h.01M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17Z",
    whatif: "M6 4v16M6 9c0 4 12 1 12 6v1M15 13.500l3 3 3-3M3.500 6.500 6 4l2.500 2.500",
    incoming: "M18 6 7 17M7 9v8h8",
    outgoing: "M6 18 17 7M9 7h8v8",
    missed: "M4 7l8 8 8-8M13.500 7H20v6.500",
    star: "M12 4l2.400 5 5.600.7-4.100 3.800 1 5.500-4.900-2.700-4.900 2.700 1-5.500L4 9.700 9.600 9Z",
    plus: "M12 5v14M5 12h14",
    close: "M6 6l12 12M18 6 6 18",
    erase: "M9 6h11v12H9l-5.500-6ZM12.500 9.500l5 5M17.500 9.500l-5 5",
    participants: "M9 11a3.200 3.200 0 1 0 0-6.400A3.200 3.200 0 0 0 9 11ZM3 19.500c.4-3.500 2.800-5.500 6-5.500s5.600 2 6 5.500M15.500 4.900a3.200 3.200 0 0 1 0 5.800M17.500 14.500c2 .8 3.200 2.500 3.500 5",
    raise_hand: "M8 12V6.500a1.300 1.300 0 0 1 2.600 0V11M10.600 10.500V4.800a1.300 1.300 0 0 1 2.600 0v5.700M13.200 10.500V5.800a1.300 1.300 0 0 1 2.600 0V12M15.800 11V8.300a1.300 1.300 0 0 1 2.600 0V14a6.500 6.500 0 0 1-6.400 6.500c-2.500 0-4-1-5.200-3l-2.400-4.200c-.8-1.500 1-2.600 2-1.300L8 13.800",
    lower_hand: "M4 4l16 16M10.600 6V4.800a1.300 1.300 0 0 1 2.600 0v3.700M15.800 8.300V5.800M15.800 11V8.300a1.300 1.300 0 0 1 2.600 0V14M16.800 18.300A6.500 6.500 0 0 1 12 20.500c-2.500 0-4-1-5.200-3l-2.400-4.200c-.8-1.500 1-2.600 2-1.300L8 13.800V8",
    timeline: "M4 6h7M8 12h9M13 18h7M4 3.500v17",
    voicemail: "M6.500 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM17.500 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM6.500 15.500h11",
    moon: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10Z",
};

const VERBS = {
    hold_and_answer: "answer", end_and_answer: "answer", end_held_and_answer: "answer",
    pull: "answer", answer_without_video: "answer", decline: "end", accept_video: "video", decline_video: "close",
    accept_text: "text", decline_text: "close", play_dtmf: "keypad", set_endpoint: "sound",
    set_video: "video", set_text: "text", attended_transfer: "transfer", deflect: "transfer",
};

/** The picture of a word or a verb, hidden from screen readers: the words beside it say the same. */
export function icon(name) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    picture.classList.add("icon", `icon-${name}`);
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", PATHS[VERBS[name] ?? name] ?? PATHS.calls);
    picture.append(path);
    return picture;
}
