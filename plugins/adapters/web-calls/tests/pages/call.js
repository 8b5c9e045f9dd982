// A call of the test's own: a microphone, with or without a camera, over a peer connection to the far
// end in the room.
"use strict";

var room = new Room(new URLSearchParams(location.search).get("room") ?? "room");
var stream = null, context = null, analyser = null;

async function join(isCaller, hasVideo = false) {
  stream = await navigator.mediaDevices.getUserMedia({audio: true, video: hasVideo});
  room.ontrack = (remote) => {
    context = new AudioContext();
    analyser = context.createAnalyser();
    context.createMediaStreamSource(remote).connect(analyser);
  };
  await room.join(stream, isCaller);
}

function leave() {
  room.connection?.close();
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
}

function mute() {
  stream.getAudioTracks().forEach((track) => track.enabled = !track.enabled);
}

// A button of the page: the camera is opened when it is first switched on, and then only covered.
async function camera() {
  const [former] = stream.getVideoTracks();
  if (former) return former.enabled = !former.enabled;
  const [track] = (await navigator.mediaDevices.getUserMedia({video: true})).getVideoTracks();
  stream.addTrack(track);
  room.connection.addTrack(track, stream);
  await room.offer();
  return true;
}

// Another button of the page: the camera is closed, and opened anew.
async function replaceCamera() {
  const sender = room.connection.getSenders().find(({track}) => track?.kind === "video") ?? closedSender;
  if (closedSender) {
    closedSender = null;
    const opened = await navigator.mediaDevices.getUserMedia({video: true});
    return sender.replaceTrack(opened.getVideoTracks()[0]);
  }
  closedSender = sender;
  sender.track.stop();
  return sender.replaceTrack(null);
}
var closedSender = null;

// The loudest sample that is played in a tenth of a second.
async function heard() {
  if (!analyser) return 0;
  await new Promise((done) => setTimeout(done, 100));
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  return Math.max(...samples.map(Math.abs));
}

addEventListener("message", () => join(true));

// A button of an imitated site.
function button(markup, pressed) {
  const template = document.createElement("template");
  template.innerHTML = markup.trim();
  const element = template.content.firstElementChild;
  (element.matches("[data-press]") ? element : element.querySelector("[data-press]") ?? element)
    .addEventListener("click", pressed);
  document.body.append(element);
  return element;
}
