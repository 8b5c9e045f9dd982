// The page as an app: it opens also while its server does not run, and says so.

/** Lets the browser keep the files of the page; where it cannot, nothing is lost. */
export function keepForLater() {
    if (!("serviceWorker" in navigator)) return;
    const address = "/worker.js";
    const rule = { createScriptURL: () => address };
    const trusted = window.trustedTypes?.createPolicy("worker", rule).createScriptURL(address) ?? address;
    navigator.serviceWorker.register(trusted).catch(() => {});
}
