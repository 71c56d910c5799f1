import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  ServiceError,
  type CallEncoderRequest,
  type IngestComparison,
  type IngestHolding,
  type OpenedIngest,
  type OpenIngestRequest,
} from '@rtms/contracts';
import type { Resolve } from '@rtms/http';
import { SrtLink, type SrtLinkParts } from './srt-link.js';
import { callerRoute, listenerRoute, type SrtRoute } from './srt-routes.js';

/** The gateway stores a session within this time after it has opened the session here. */
const storedAfterMs = 30_000;

interface Held {
  link: SrtLink;
  /** Address and secrets. Another request of the session replaces the link. */
  identity: string;
  openedAt: number;
}

export interface SrtSessionsOptions {
  host: string;
  firstPort: number;
  lastPort: number;
  latencyMs: number;
  parts: (sessionID: string) => SrtLinkParts;
  now: () => number;
  /** Finds the addresses of encoders that are called. Tests bring their own. */
  resolve?: Resolve;
}

/** The SRT sessions of this node. Each has a process of its own, and a UDP port unless the node calls the encoder. */
export class SrtSessions {
  private readonly held = new Map<string, Held>();
  private opening: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: SrtSessionsOptions) {}

  get links(): SrtLink[] {
    return [...this.held.values()].map(({ link }) => link);
  }

  /** The node holds at most as many sessions as it has ports, with or without a port. */
  get places(): { used: number; all: number } {
    const { firstPort, lastPort } = this.options;
    return { used: this.held.size, all: lastPort - firstPort + 1 };
  }

  /**
   * Closes sessions that the gateway does not know, and opens those that this node lost at a restart, or takes over. Returns why
   * some are not open again. Rejects with the error of the question.
   */
  async compare(
    isDraining: boolean,
    ask: (held: Omit<IngestHolding, 'nodeID'>) => Promise<IngestComparison>,
  ): Promise<unknown[]> {
    const { used, all } = this.places;
    const old = new Set(this.olderThan(storedAfterMs));
    const sessionIDs = [...this.held.keys()];
    const { ended, missing, calls = [] } = await ask({ sessionIDs, freeCalls: isDraining ? 0 : all - used });
    await Promise.all(ended.filter(id => old.has(id)).map(id => this.closeSession(id)));
    const reopened = await Promise.allSettled([
      ...missing.map(request => this.open(request)),
      ...calls.map(request => this.call(request)),
    ]);
    return reopened.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []));
  }

  /** The sessions that this node has held for at least `ageMs`: the gateway has stored them, or never will. */
  private olderThan(ageMs: number): string[] {
    const limit = this.options.now() - ageMs;
    return [...this.held].filter(([, { openedAt }]) => openedAt <= limit).map(([sessionID]) => sessionID);
  }

  /** One at a time, so that two sessions never get one port. */
  open(request: OpenIngestRequest): Promise<OpenedIngest> {
    return this.inTurn(() => this.listen(request));
  }

  /** Calls the encoder of a session until the session is closed. */
  call(request: CallEncoderRequest): Promise<void> {
    return this.inTurn(async () => {
      const { sessionID } = request;
      const { latencyMs, resolve } = this.options;
      const identity = JSON.stringify(request);
      if (this.held.get(sessionID)?.identity === identity) return;
      await this.closeSession(sessionID);
      this.requirePlace();
      this.hold(sessionID, identity, callerRoute(request, latencyMs, resolve));
    });
  }

  async closeSession(sessionID: string): Promise<void> {
    const found = this.held.get(sessionID);
    this.held.delete(sessionID);
    await found?.link.close();
  }

  /** Drops all encoders. Safe to call twice. */
  async close(): Promise<void> {
    this.closed = true;
    await this.opening;
    await Promise.all([...this.held.keys()].map(sessionID => this.closeSession(sessionID)));
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.opening.then(() => {
      if (this.closed) throw new ServiceError('controller_unavailable');
      return work();
    });
    this.opening = done.catch(() => undefined);
    return done;
  }

  private async listen({ sessionID, passphrase = '', port: former }: OpenIngestRequest): Promise<OpenedIngest> {
    const { host, latencyMs } = this.options;
    const present = this.held.get(sessionID);
    const { port: presentPort } = present?.link.route ?? {};
    if (present?.identity === passphrase && presentPort !== undefined) return { port: presentPort, latencyMs };
    await this.closeSession(sessionID);
    this.requirePlace();
    const port = await this.choosePort({ required: former, preferred: presentPort });
    this.hold(sessionID, passphrase, listenerRoute({ host, port, passphrase, latencyMs }));
    return { port, latencyMs };
  }

  private hold(sessionID: string, identity: string, route: SrtRoute): void {
    const link = new SrtLink(this.options.parts(sessionID), sessionID, route);
    this.held.set(sessionID, { link, identity, openedAt: this.options.now() });
  }

  private requirePlace(): void {
    const { used, all } = this.places;
    if (used >= all)
      throw new ServiceError('capacity_reached', 'The node holds no more SRT sessions. Try again later.');
  }

  /** `required`: the encoder has the address already. `preferred`: the encoder gets a new address, which should be the former one. */
  private async choosePort({
    required,
    preferred,
  }: Record<'required' | 'preferred', number | undefined>): Promise<number> {
    const { firstPort, lastPort } = this.options;
    const taken = new Set(this.links.map(({ route }) => route.port));
    const all = Array.from({ length: lastPort - firstPort + 1 }, (_, index) => firstPort + index);
    const candidates = required !== undefined ? [required] : preferred !== undefined ? [preferred, ...all] : all;
    for (const port of candidates) {
      if (all.includes(port) && !taken.has(port) && (await isFree(port))) return port;
    }
    if (required !== undefined) throw new ServiceError('capacity_reached', `The SRT port ${required} is in use.`);
    throw new ServiceError('capacity_reached', 'All SRT ports of the node are in use. Try again later.');
  }
}

async function isFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    socket.bind(port);
    await once(socket, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    socket.close();
  }
}
