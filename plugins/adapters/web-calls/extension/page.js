// The part in the page's own world: it follows the page's peer connections, microphones and cameras,
// and silences what they send and play while the call is held, muted or without video.
//
// The page can reach everything here, so nothing here is trusted: what leaves is one number of
// flags, in an event that frame.js reads. Orders come the same way.
"use strict";

(() => {
  const REPORT = "callbroker-report", ORDER = "callbroker-order";
  // Flags of reports; frame.js has the same.
  const TOUCHED = 1, LIVE = 2, MUTED = 4, HELD = 8, SENDS = 16, RECEIVES = 32;
  // Flags of orders; PRESS has Media Session do it where the page can.
  const HOLD = 1, RESUME = 2, MUTE = 4, UNMUTE = 8, PRESS = 16, HANG_UP = 32, CLOSE = 64;
  const CAMERA_ON = 128, CAMERA_OFF = 256, PICTURE_ON = 512, PICTURE_OFF = 1024;
  // A page that loses its connections has this long to replace them before its call is over.
  const REPLACED_MS = 1000, RESTORED_MS = 10000;
  const HEARTBEAT_MS = 2000;            // while held
  if (typeof RTCPeerConnection !== "function") return;

  const connections = new Set();        // those that were connected once, and are not closed
  const captured = new Set();           // the live tracks of getUserMedia
  const sent = new Set(), received = new Set();
  const wanted = new WeakMap();         // `enabled` of tracks, as the page sees it
  const pressed = {};                   // the page's handlers of Media Session
  let isHeld = false, isSilenced = false, isLive = false, isTouched = false;
  let isCameraOff = false, isPictureOff = false;        // by the broker: the sent, the received video
  let wasSending = false;               // video, as the page sees it
  let microphoneActive = null;          // as the page tells Media Session
  let ending = null, endsIn = 0, lastReport = -1, heartbeat = null, isAnswered = false;
  let isHangingUp = false;              // by an order: what closes now is not replaced

  // ---- Tracks

  const enabled = Object.getOwnPropertyDescriptor(MediaStreamTrack.prototype, "enabled");

  function isGagged(track) {
    const isVideo = track.kind === "video";
    return sent.has(track) && (isHeld || (isVideo ? isCameraOff : isSilenced))
      || received.has(track) && (isHeld || isVideo && isPictureOff);
  }

  function isWanted(track) {
    return wanted.has(track) ? wanted.get(track) : enabled.get.call(track);
  }

  function gag(track) {
    if (!wanted.has(track) && !isGagged(track)) return;
    const value = isWanted(track);
    wanted.set(track, value);
    enabled.set.call(track, value && !isGagged(track));
  }

  function gagAll() {
    for (const tracks of [sent, received, captured]) {
      for (const track of tracks) {
        if (track.readyState === "ended") tracks.delete(track);
        else gag(track);
      }
    }
  }

  Object.defineProperty(MediaStreamTrack.prototype, "enabled", {
    configurable: true, enumerable: true,
    get() { return isWanted(this); },
    set(value) {
      const wasWanted = isWanted(this);
      enabled.set.call(this, value);            // throws what the browser throws
      wanted.set(this, Boolean(value));
      if (value && !wasWanted && sent.has(this)) reopen(this);
      gag(this);
      changed();
    },
  });

  // What the user has the page send again is no longer silent.
  function reopen(track) {
    if (track.kind === "audio") isSilenced = false;
    else isCameraOff = false;
  }

  function inherit(copy, original) {
    for (const tracks of [sent, received, captured]) {
      if (tracks.has(original)) tracks.add(copy);
    }
    wanted.set(copy, isWanted(original));
    gag(copy);
    return copy;
  }

  // ---- Wrapping

  function wrap(prototype, name, around) {
    const original = prototype && prototype[name];
    if (typeof original !== "function") return;
    const wrapper = {[name](...values) { return around.call(this, original, values); }}[name];
    Object.defineProperty(wrapper, "length", {value: original.length});
    Object.defineProperty(prototype, name, {
      configurable: true, enumerable: true, writable: true, value: wrapper});
  }

  wrap(MediaStreamTrack.prototype, "clone", function (original, values) {
    return inherit(original.apply(this, values), this);
  });
  wrap(MediaStreamTrack.prototype, "stop", function (original, values) {
    original.apply(this, values);
    changed();
  });
  wrap(MediaStream.prototype, "clone", function (original, values) {
    const copy = original.apply(this, values), tracks = copy.getTracks();
    this.getTracks().forEach((track, number) => tracks[number] && inherit(tracks[number], track));
    return copy;
  });

  function capture(stream) {
    stream.getTracks().forEach((track) => {
      captured.add(track);
      track.addEventListener("ended", changed);
    });
    changed();
  }

  wrap(window.MediaDevices && MediaDevices.prototype, "getUserMedia", async function (original, values) {
    touch();
    const stream = await original.apply(this, values);
    capture(stream);
    return stream;
  });
  for (const name of ["getUserMedia", "webkitGetUserMedia", "mozGetUserMedia"]) {
    wrap(Navigator.prototype, name, function (original, [constraints, done, failed]) {
      touch();
      const taken = (stream) => {
        capture(stream);
        done(stream);
      };
      return original.call(this, constraints, typeof done === "function" ? taken : done, failed);
    });
  }

  function send(track) {
    sent.add(track);
    track.addEventListener("ended", changed);
    gag(track);                                 // before the first packet
  }

  function sends(connection, name, trackOf) {
    wrap(connection, name, function (original, values) {
      const track = trackOf(values);
      if (track instanceof MediaStreamTrack) send(track);
      const result = original.apply(this, values);
      if (result instanceof Promise) result.then(changed, changed);
      else changed();
      return result;
    });
  }
  sends(RTCPeerConnection.prototype, "addTrack", ([track]) => track);
  sends(RTCPeerConnection.prototype, "addTransceiver", ([track]) => track);
  sends(RTCPeerConnection.prototype, "removeTrack", () => null);
  sends(RTCRtpSender.prototype, "replaceTrack", ([track]) => track);
  wrap(RTCPeerConnection.prototype, "addStream", function (original, [stream]) {
    stream.getTracks().forEach(send);
    return original.call(this, stream);
  });
  wrap(RTCPeerConnection.prototype, "close", function (original, values) {
    original.apply(this, values);
    changed();
  });

  function follow(connection) {
    touch();
    const look = () => {
      if (isConnected(connection)) connections.add(connection);
      changed();
    };
    connection.addEventListener("connectionstatechange", look);
    connection.addEventListener("iceconnectionstatechange", look);
    connection.addEventListener("signalingstatechange", changed);
    connection.addEventListener("track", ({track}) => {
      received.add(track);
      for (const type of ["mute", "unmute", "ended"]) track.addEventListener(type, changed);
      gag(track);
    });
    return connection;
  }

  const Native = RTCPeerConnection;
  const Followed = new Proxy(Native, {
    construct: (target, values, made) => follow(Reflect.construct(target, values, made)),
  });
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) {
    if (name in window) {
      Object.defineProperty(window, name, {configurable: true, writable: true, value: Followed});
    }
  }
  Native.prototype.constructor = Followed;

  if (window.MediaSession) {
    wrap(MediaSession.prototype, "setActionHandler", function (original, values) {
      pressed[values[0]] = values[1];           // also where the browser does not have the action
      return original.apply(this, values);
    });
    wrap(MediaSession.prototype, "setMicrophoneActive", function (original, values) {
      if (values[0] && microphoneActive === false) isSilenced = false;
      microphoneActive = Boolean(values[0]);
      changed();
      return original.apply(this, values);
    });
  }

  function press(action) {
    if (typeof pressed[action] !== "function") return false;
    try {
      pressed[action]({action});
    } catch (error) {
      console.error(error);                     // the page's own
    }
    return true;
  }

  // ---- The call

  function isConnected(connection) {
    return connection.connectionState === "connected"
      || ["connected", "completed"].includes(connection.iceConnectionState);
  }

  function voices() {
    const tracks = [];
    for (const connection of connections) {
      for (const sender of connection.getSenders()) {
        const track = sender.track;
        if (track && track.kind === "audio" && track.readyState === "live") tracks.push(track);
      }
    }
    return tracks;
  }

  function isMutedByPage() {
    if (microphoneActive === false) return true;
    return !voices().some(isWanted);
  }

  // The tracks of video that are agreed with the far end, as far as something is sent in them.
  function pictures(side, direction) {
    const tracks = [];
    for (const connection of connections) {
      for (const transceiver of connection.getTransceivers()) {
        const {track} = transceiver[side];
        if (track && track.kind === "video" && track.readyState === "live"
            && [direction, "sendrecv"].includes(transceiver.currentDirection)) tracks.push(track);
      }
    }
    return tracks.filter(isWanted);
  }

  function isSending() {
    return pictures("sender", "sendonly").length > 0;
  }

  function isReceiving() {
    return pictures("receiver", "recvonly").some((track) => !track.muted);
  }

  // A page may switch a camera off by taking its track away, and on with another one.
  function followCamera() {
    const isOn = isSending();
    if (isOn && !wasSending && navigator.userActivation?.isActive) isCameraOff = false;
    wasSending = isOn;
  }

  // A call begins with a microphone that is sent, and goes on for as long as there are connections:
  // pages mute by taking the track away.
  function look() {
    let areLost = true;
    for (const connection of connections) {
      if (connection.connectionState === "closed") connections.delete(connection);
      else if (connection.connectionState !== "failed") areLost = false;
    }
    if (isLive && isHangingUp && connections.size === 0) {
      end();
    } else if (!areLost) {
      clearTimeout(ending);
      ending = null;
      if (!isLive && voices().length > 0 && hasMicrophone()) isLive = true;
    } else if (isLive) {
      endWithin(connections.size ? RESTORED_MS : REPLACED_MS);
    }
  }

  function hasMicrophone() {
    return [...captured].some((track) => track.kind === "audio" && track.readyState === "live");
  }

  function endWithin(ms) {
    if (ending !== null && ms >= endsIn) return;
    clearTimeout(ending);
    endsIn = ms;
    ending = setTimeout(end, ms);
  }

  function end() {
    clearTimeout(ending);
    ending = null;
    isLive = isSilenced = isHangingUp = isCameraOff = isPictureOff = false;
    microphoneActive = null;
    hold(false);
    report();
  }

  function changed() {
    look();
    followCamera();
    gagAll();
    report();
  }

  function touch() {
    isTouched = true;
    report();
  }

  // An extension that is disabled says nothing, and nobody else could resume the call.
  function beat() {
    isAnswered = false;
    lastReport = -1;
    report();
    if (!isAnswered) hold(false);
  }

  function hold(isOn) {
    isHeld = isLive && isOn;
    clearInterval(heartbeat);
    if (isHeld) heartbeat = setInterval(beat, HEARTBEAT_MS);
    gagAll();
  }

  function report() {
    const flags = (isTouched ? TOUCHED : 0) | (isLive ? LIVE : 0) | (isHeld ? HELD : 0)
      | (isLive && (isSilenced || isMutedByPage()) ? MUTED : 0)
      | (isLive && !isCameraOff && isSending() ? SENDS : 0)
      | (isLive && !isPictureOff && isReceiving() ? RECEIVES : 0);
    if (flags === lastReport) return;
    lastReport = flags;
    window.dispatchEvent(new CustomEvent(REPORT, {detail: flags}));
  }

  // ---- Orders

  // Closing tells the page nothing, and a page that follows the state is to clean up. Firefox does
  // not call the handlers in attributes for events that it has not made.
  function announce(connection, type) {
    const event = new Event(type), handler = connection[`on${type}`];
    connection[`on${type}`] = null;
    connection.dispatchEvent(event);
    connection[`on${type}`] = handler;
    if (typeof handler === "function") handler.call(connection, event);
  }

  function closeAll() {
    for (const connection of [...connections]) {
      connection.close();
      announce(connection, "connectionstatechange");
      announce(connection, "iceconnectionstatechange");
    }
    connections.clear();
    for (const track of captured) track.stop();
    end();
  }

  function mute(isOn, pressesToo) {
    isSilenced = isOn;
    if (pressesToo && isMutedByPage() !== isOn) press("togglemicrophone");
  }

  function switchCamera(isOn, pressesToo) {
    isCameraOff = !isOn;
    if (pressesToo && isSending() !== isOn) press("togglecamera");
  }

  function changeVideo(order) {
    if (order & (CAMERA_ON | CAMERA_OFF)) {
      switchCamera(Boolean(order & CAMERA_ON), Boolean(order & PRESS));
    }
    if (order & (PICTURE_ON | PICTURE_OFF)) isPictureOff = Boolean(order & PICTURE_OFF);
  }

  window.addEventListener(ORDER, (event) => {
    const order = event.detail;
    if (typeof order !== "number") return;
    isAnswered = true;
    if (order === 0) return;
    if (order & (HOLD | RESUME)) hold(Boolean(order & HOLD));
    if (order & (MUTE | UNMUTE) && isLive) mute(Boolean(order & MUTE), Boolean(order & PRESS));
    if (isLive) changeVideo(order);
    if (order & HANG_UP) isHangingUp = isLive;
    if (order & HANG_UP && order & PRESS && !press("hangup") || order & CLOSE) closeAll();
    lastReport = -1;                            // each order is answered by a report
    changed();
  });
})();
