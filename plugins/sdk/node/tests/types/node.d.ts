// As much of Node's own types as callbroker.d.ts needs, so that none have to be installed.
declare module "node:events" {
    export class EventEmitter {
        on(name: string, listener: (...what: any[]) => void): this;
    }
}
declare module "node:net" {
    export class Socket {
        destroy(): void;
    }
}
interface AbortSignal {
    readonly aborted: boolean;
}
