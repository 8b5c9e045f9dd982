// A peer connection between two pages of one origin, and what it receives.
"use strict";

class Room {
  constructor(name) {
    this.channel = new BroadcastChannel(name);
    this.ontrack = () => undefined;
  }

  async join(stream, isCaller) {
    this.connection = new RTCPeerConnection();
    for (const track of stream.getTracks()) this.connection.addTrack(track, stream);
    this.connection.ontrack = (event) => {
      this.play(event.streams[0]);
      if (event.track.kind === "audio") this.ontrack(event.streams[0]);
    };
    this.connection.onconnectionstatechange = () => {
      if (["failed", "closed"].includes(this.connection.connectionState)) document.title = "over";
    };
    this.channel.onmessage = ({data}) => this.take(data);
    if (isCaller) await this.offer();
  }

  play(stream) {
    this.player ??= document.body.appendChild(document.createElement("video"));
    this.player.srcObject = stream;             // Chromium decodes only what is played
    this.player.play().catch(() => undefined);  // another track has come meanwhile
  }

  // The brightest spot of what is received, of 255, and 0 without video.
  brightness() {
    if (!this.player?.videoWidth) return 0;
    const canvas = new OffscreenCanvas(16, 16), pen = canvas.getContext("2d");
    pen.drawImage(this.player, 0, 0, 16, 16);
    const {data} = pen.getImageData(0, 0, 16, 16);
    return Math.max(...data.filter((_, at) => at % 4 !== 3));
  }

  // Candidates are in the description: there is one message each way.
  async described() {
    if (this.connection.iceGatheringState !== "complete") {
      await new Promise((done) => this.connection.addEventListener("icegatheringstatechange", () =>
        this.connection.iceGatheringState === "complete" && done()));
    }
    const {type, sdp} = this.connection.localDescription;
    this.channel.postMessage({type, sdp});
  }

  async offer() {
    await this.connection.setLocalDescription(await this.connection.createOffer());
    await this.described();
  }

  async take(message) {
    if (message.type === "offer") {
      await this.connection.setRemoteDescription(message);
      await this.connection.setLocalDescription(await this.connection.createAnswer());
      await this.described();
    } else if (message.type === "answer") {
      await this.connection.setRemoteDescription(message);
    }
  }

  // What has arrived of the other side: packets, and the energy of the sound in them.
  async received() {
    const report = await this.connection.getStats();
    for (const stats of report.values()) {
      if (stats.type === "inbound-rtp" && stats.kind === "audio") {
        return {packets: stats.packetsReceived, energy: stats.totalAudioEnergy};
      }
    }
    return {packets: 0, energy: 0};
  }
}
