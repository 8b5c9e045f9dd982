// Keeps the files of the page, for when its server does not run: they are the same for everybody. What is said of
// calls comes over a WebSocket, which is not asked of this worker.

const KEPT = "page";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
    const address = new URL(event.request.url);
    const isFile = event.request.method === "GET" && address.origin === location.origin && address.search === "";
    if (isFile) event.respondWith(answer(event));
});

/** The server's answer, and what was kept only where there is none. */
async function answer(event) {
    const { request } = event;
    try {
        const reply = await fetch(request);
        if (reply.ok && !reply.redirected) event.waitUntil(keep(request.url, reply.clone()));
        return reply;
    } catch {
        return await (await caches.open(KEPT)).match(request.url) ?? Response.error();
    }
}

const keep = async (address, reply) => (await caches.open(KEPT)).put(address, reply);
