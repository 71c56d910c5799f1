import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@rtms/testing';
import type { Playback } from './api-client.js';

export interface WatchOptions {
  url: string;
  token: string;
  /** Of Opus. */
  payloadType: number;
  /** Whether it subscribes to `reconnect`. */
  events: boolean;
}

interface Report {
  connected?: true;
  refused?: string;
  told?: 'reconnect';
  packets?: number;
  /** Of the connection, once it was connected. */
  state?: string;
}

/** A process starts, connects and decrypts. */
const timeoutMs = 40_000;
const program = fileURLToPath(new URL('./viewer-process.mjs', import.meta.url));

/** A WHEP viewer with real ICE, DTLS and SRTP that hears the audio of a playback. */
export class WhepViewer {
  private readonly reports: Report[] = [];
  private since = 0;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (report: Report) => {
      this.reports.push(report);
      if (report.told) this.onTold();
    });
  }

  /** `onTold` is called when it is told to reconnect. */
  onTold: () => void = () => undefined;

  /** `caFile`: whom it believes besides the CAs that everybody knows. */
  static async watch(
    playback: Playback,
    { events, caFile = '' }: { events: boolean; caFile?: string },
  ): Promise<WhepViewer> {
    const env = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: caFile };
    const viewer = new WhepViewer(fork(program, { execArgv: [], env }));
    await viewer.watch(playback, events);
    return viewer;
  }

  /** Again, by the same address. */
  async watch({ endpoint: url, token, payloadProfile }: Playback, events: boolean): Promise<void> {
    const opus = payloadProfile.codecs.find(({ mimeType }) => mimeType.toLowerCase() === 'audio/opus');
    this.since = this.reports.length;
    this.child.send({ url, token, payloadType: opus?.payloadType ?? 0, events } satisfies WatchOptions);
    await waitFor(() => this.current.some(({ connected, refused }) => connected ?? refused), {
      timeoutMs,
      what: 'a viewer',
    });
    const refused = this.current.find(report => report.refused)?.refused;
    if (refused) throw new Error(refused);
    await this.hears();
  }

  get wasTold(): boolean {
    return this.current.some(({ told }) => told);
  }

  /** Its connection has been closed by the other side, or broke. */
  get isCut(): boolean {
    return this.current.some(({ state }) => state !== undefined && state !== 'connected');
  }

  async hears(): Promise<void> {
    await waitFor(() => this.current.some(({ packets }) => packets), { timeoutMs, what: 'a viewer to hear something' });
  }

  /** More than until now, on the same connection. */
  async hearsOn(): Promise<void> {
    const known = this.packets;
    await waitFor(() => this.isCut || this.packets > known, { timeoutMs, what: 'a viewer to hear more' });
    if (this.isCut) throw new Error('the viewer lost its connection');
  }

  close(): void {
    if (this.child.connected) this.child.disconnect();
  }

  private get packets(): number {
    return this.current.findLast(({ packets }) => packets)?.packets ?? 0;
  }

  private get current(): Report[] {
    return this.reports.slice(this.since);
  }
}
