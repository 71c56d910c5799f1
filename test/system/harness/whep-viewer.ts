import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EventLog } from '@rtms/testing';
import type { Playback } from './api-client.js';

export interface WatchOptions {
  url: string;
  token: string;
  /** Of Opus. */
  payloadType: number;
  /** Codecs of the picture, with their parameters in SDP. */
  h264: { payloadType: number; parameters: string }[];
  /** Whether it subscribes to `reconnect`. */
  events: boolean;
}

interface Report {
  connected?: true;
  refused?: string;
  told?: 'reconnect';
  packets?: number;
  /** Of the picture, when it has changed. */
  height?: number;
  /** The status of the answer to a choice of layers. */
  chosen?: number;
  /** Of the connection, once it was connected. */
  state?: string;
}

const program = fileURLToPath(new URL('./viewer-process.mjs', import.meta.url));

/** A WHEP viewer with real ICE, DTLS and SRTP that hears the audio of a playback, and sees H264 if it has any. */
export class WhepViewer {
  /** Of the connection that it has now. */
  private reports = new EventLog<Report>();

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (report: Report) => {
      this.reports.add(report);
      if (report.told) this.onTold();
    });
  }

  /** Called when the viewer gets the event `reconnect`. */
  onTold: () => void = () => undefined;

  /** Resolves once it hears the playback. `caFile`: a CA that it trusts besides the public ones. */
  static async watch(
    playback: Playback,
    { events, caFile = '' }: { events: boolean; caFile?: string },
  ): Promise<WhepViewer> {
    const env = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: caFile };
    const viewer = new WhepViewer(fork(program, { execArgv: [], env }));
    return viewer.closedUnless(viewer.watch(playback, events));
  }

  /** Resolves once it is connected. It may hear nothing of a repair: libdatachannel drops media whose SSRC is not in the answer. */
  static async connect(playback: Playback): Promise<WhepViewer> {
    const viewer = new WhepViewer(fork(program, { execArgv: [], env: { PATH: process.env['PATH'] ?? '' } }));
    return viewer.closedUnless(viewer.join(playback, false));
  }

  /** Returns this viewer when the work is done; a failure ends its process. */
  private async closedUnless(work: Promise<void>): Promise<this> {
    try {
      await work;
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Again, by the same address. */
  async watch(playback: Playback, events: boolean): Promise<void> {
    await this.join(playback, events);
    await this.reports.find(({ packets }) => packets !== undefined);
  }

  private async join({ endpoint: url, token, payloadProfile }: Playback, events: boolean): Promise<void> {
    const opus = payloadProfile.codecs.find(({ mimeType }) => mimeType.toLowerCase() === 'audio/opus');
    this.reports = new EventLog<Report>();
    const h264 = payloadProfile.codecs
      .filter(({ mimeType }) => mimeType.toLowerCase() === 'video/h264')
      .map(({ payloadType, parameters = {} }) => {
        const pairs = Object.entries(parameters).map(pair => pair.join('='));
        return { payloadType, parameters: pairs.join(';') };
      });
    this.child.send({
      ...{ url, token, payloadType: opus?.payloadType ?? 0, h264, events },
    } satisfies WatchOptions);
    const { refused } = await this.reports.find(report => Boolean(report.connected ?? report.refused));
    if (refused !== undefined) throw new Error(refused);
  }

  /** Resolves once it gets the event `reconnect`. */
  async told(): Promise<void> {
    await this.reports.find(({ told }) => told === 'reconnect');
  }

  /** Resolves once the other side has closed its connection, or the connection broke. */
  async cut(): Promise<void> {
    await this.reports.find(isCut);
  }

  get isCut(): boolean {
    return this.reports.all.some(isCut);
  }

  /** Resolves once it has received more audio than until now, on the same connection. */
  async hearsOn(): Promise<void> {
    await this.reports.next(report => report.packets !== undefined || isCut(report));
    if (this.isCut) throw new Error('the viewer lost its connection');
  }

  /** Resolves once the picture has this height, now or later. */
  async sees(height: number): Promise<void> {
    const last = () => this.reports.all.findLast(report => report.height !== undefined)?.height;
    while (last() !== height) await this.reports.next(report => report.height !== undefined);
  }

  /** Asks for a layer, such as `{ spatialLayerId: 0 }`; undefined: for none in particular. */
  async choose(layer?: object): Promise<void> {
    const answered = this.reports.next(({ chosen }) => chosen !== undefined);
    this.child.send({ layer: layer ?? null });
    const { chosen = 0 } = await answered;
    if (chosen >= 300) throw new Error(`the choice of a layer was answered with ${chosen}`);
  }

  close(): void {
    if (this.child.connected) this.child.disconnect();
  }
}

function isCut({ state }: Report): boolean {
  return state !== undefined && state !== 'connected';
}
