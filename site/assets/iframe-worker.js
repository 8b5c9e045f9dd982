// The search of the theme runs in a worker. This changes two things about it: pages opened as files, which may
// not have workers, run it in a frame; and `kill -9` is a search for "kill" and "9", not for pages without 9. A
// number counts more as a whole than as the beginning of another, and an option has to be there.
// The name is the one that mkdocs-material's plugin for offline use looks for, which loads such a script from
// elsewhere otherwise.

/** Returns a message to the search with the words of its query as above. */
function asWords(message) {
  if (typeof message.data !== "string") return message;
  const numbers = message.data.replace(/(^|\s)-?(\d[\w.]*)(?=\s|$)/g, "$1$2^4 $2");
  const data = numbers.replace(/(^|\s)--?([a-z][\w-]*)(?=\s|$)/gi, (_, space, option) =>
    space + option.split("-").map((part) => `+${part}`).join(" "));
  return { ...message, data };
}

class SearchWorker extends Worker {
  postMessage(message) {
    super.postMessage(asWords(message));
  }
}

/** A worker's script in a frame: what it posts arrives as messages of this object. */
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    this.frame.srcdoc = `<script>
      postMessage = (message) => frameElement.receive(message);
      importScripts = () => {};
    </${"script"}><script src="${url}"></${"script"}>`;
    this.frame.receive = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    this.isReady = new Promise((resolve) => this.frame.addEventListener("load", resolve));
    if (document.body) document.body.append(this.frame);
    else addEventListener("DOMContentLoaded", () => document.body.append(this.frame));
  }

  postMessage(message) {
    const data = asWords(message);
    const inside = this.frame;
    this.isReady.then(() => inside.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
} else {
  window.Worker = SearchWorker;
}
