import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { ServiceError, type OpenedIngest, type OpenIngestRequest } from '@rtms/contracts';
import { SrtListener, type SrtListenerParts } from './srt-listener.js';

interface Held {
  listener: SrtListener;
  openedAt: number;
}

export interface SrtSessionsOptions {
  firstPort: number;
  lastPort: number;
  parts: (sessionID: string) => SrtListenerParts;
  now: () => number;
}

/** The SRT sessions of this node. Each has a UDP port and a process of its own. */
export class SrtSessions {
  private readonly held = new Map<string, Held>();
  private opening: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly options: SrtSessionsOptions) {}

  get listeners(): SrtListener[] {
    return [...this.held.values()].map(({ listener }) => listener);
  }

  /** The sessions that this node has held for at least `ageMs`: the gateway has stored them, or never will. */
  olderThan(ageMs: number): string[] {
    const limit = this.options.now() - ageMs;
    return [...this.held].filter(([, { openedAt }]) => openedAt <= limit).map(([sessionID]) => sessionID);
  }

  /** One at a time, so that two sessions never get one port. */
  open(request: OpenIngestRequest): Promise<OpenedIngest> {
    const opened = this.opening.then(() => this.openOne(request));
    this.opening = opened.catch(() => undefined);
    return opened;
  }

  async closeSession(sessionID: string): Promise<void> {
    const found = this.held.get(sessionID);
    this.held.delete(sessionID);
    await found?.listener.close();
  }

  /** Drops all encoders. Safe to call twice. */
  async close(): Promise<void> {
    this.closed = true;
    await this.opening;
    await Promise.all([...this.held.keys()].map(sessionID => this.closeSession(sessionID)));
  }

  private async openOne({ sessionID, passphrase = '', port: former }: OpenIngestRequest): Promise<OpenedIngest> {
    if (this.closed) throw new ServiceError('controller_unavailable');
    const present = this.held.get(sessionID)?.listener;
    const parts = this.options.parts(sessionID);
    if (present?.passphrase === passphrase) return { port: present.port, latencyMs: parts.latencyMs };
    await this.closeSession(sessionID);
    const port = await this.choosePort({ required: former, preferred: present?.port });
    const listener = new SrtListener(parts, sessionID, port, passphrase);
    this.held.set(sessionID, { listener, openedAt: this.options.now() });
    return { port, latencyMs: parts.latencyMs };
  }

  /** `required`: the encoder has the address already. `preferred`: the encoder gets a new address, which should be the former one. */
  private async choosePort({
    required,
    preferred,
  }: Record<'required' | 'preferred', number | undefined>): Promise<number> {
    const { firstPort, lastPort } = this.options;
    const taken = new Set(this.listeners.map(({ port }) => port));
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
