// A call of the test's own: a microphone, over a peer connection to the far end in the room.
"use strict";

var room = new Room(new URLSearchParams(location.search).get("room") ?? "room");
var stream = null, context = null, analyser = null;

async function join(isCaller) {
  stream = await navigator.mediaDevices.getUserMedia({audio: true});
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
