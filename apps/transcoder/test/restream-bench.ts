import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Clock } from '@rtms/clock';
import type { Fact, FactBody, RestreamTarget, StartRestreamRequest } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { DrainState } from '@rtms/node';
import { EventLog, memoryBus, waitFor } from '@rtms/testing';
import { spawnTied } from '../../../tools/setup/run-command.mjs';
import { RestreamsService } from '../src/jobs/restreams/restreams.service.js';
import { SourceFeed, type OpenFeed } from '../src/rtp/source-feed.js';
import { FfmpegSender } from '../src/sending/ffmpeg-sender.js';
import type { Sender } from '../src/sending/sender.js';
import type { Network } from '../src/sending/target-connection.js';
import { sfuNodeID, systemFfmpeg } from './broadcast-bench.js';
import { FakeSfu, type FeedSource } from './fake-sfu.js';
import { RtpSource } from './rtp-source.js';

export type RestreamBench = Awaited<ReturnType<typeof openRestreamBench>>;

interface BenchOptions {
  createSource?: () => FeedSource;
  clock?: Clock;
  network?: Network;
  sender?: Sender;
  openBroadcast?: OpenFeed;
}

const noBroadcasts: OpenFeed = () => Promise.reject(new Error('no broadcasts'));

/** A transcoder's restreams on a memory bus, with a fake SFU node. */
async function openRestreamBench({
  createSource,
  clock = systemClock,
  network,
  sender,
  openBroadcast = noBroadcasts,
}: BenchOptions) {
  const bus = await memoryBus();
  const source = createSource ?? (() => new RtpSource({ video: 'h264', size: '320x180', frameRate: '25' }));
  const sfu = await FakeSfu.open(bus, sfuNodeID, source);
  const facts = new EventLog<Pick<Fact, 'resourceID' | 'body'>>();
  const logged = new EventLog<string>();
  const destination = { write: (line: string) => void logged.add(line) };
  const logger = createLogger({ service: 'transcoder', level: 'trace', destination });
  const reports = {
    report: (resourceID: string, body: FactBody) => facts.add({ resourceID, body }),
    forget: () => undefined,
  };
  const openFeed = SourceFeed.opener({ listenIP: '127.0.0.1', announcedIP: '127.0.0.1' }, clock);
  const used = sender ?? new FfmpegSender(await systemFfmpeg(), clock, { hasSrt: true }, network);
  const drain = new DrainState();
  const restreams = new RestreamsService(
    { bus, sender: used, reports, drain, openFeed, openBroadcast, clock, logger },
    50,
  );
  const close = async () => {
    await restreams.close();
    await sfu.close();
    await bus.close();
  };
  /** Resolves with the first fact of the type about the restream, also if it was reported before the call. */
  const fact = async (restreamID: string, type: FactBody['type']) =>
    (await facts.find(each => each.resourceID === restreamID && each.body.type === type)).body;
  return { bus, sfu, facts, fact, logged, drain, restreams, close };
}

/** Opens benches and targets, and closes them after each test. */
export function restreamBenches() {
  const opened: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });
  const remember = <Opened extends { close(): Promise<unknown> }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  return {
    remember,
    open: async (options: BenchOptions = {}) => remember(await openRestreamBench(options)),
    target: async (url: string, options: string[] = []) => remember(await ListeningTarget.open(url, options)),
  };
}

export function restreamRequest(restreamID: string, target: RestreamTarget): StartRestreamRequest {
  const source = { meetingID: 'room_1', sourceID: 'ext_1', sfuNodeID };
  return { restreamID, ...source, tracks: ['video', 'audio'], target, allowsPrivate: true };
}

/** Whether a program of this machine listens at a port, or has already taken a connection there: proc_net(5). */
async function isTaken(port: number): Promise<boolean> {
  const [tcp, udp] = await Promise.all(['tcp', 'udp'].map(each => readFile(`/proc/net/${each}`, 'utf8')));
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F]+:[0-9A-F]{4}`;
  // Established, or listening.
  return new RegExp(`${local} (?:01|0A) `).test(tcp ?? '') || new RegExp(local).test(udp ?? '');
}

/** FFmpeg as a server that takes one publisher and stores what it sends. */
export class ListeningTarget {
  private constructor(
    private readonly process: ChildProcess,
    private readonly directory: string,
    private readonly path: string,
  ) {}

  static async open(url: string, options: string[]): Promise<ListeningTarget> {
    const directory = await mkdtemp(join(tmpdir(), 'rtms-target-'));
    const path = join(directory, 'taken.mkv');
    const args = ['-v', 'error', '-nostdin', ...options, '-i', url, '-c', 'copy', '-flush_packets', '1', path];
    const target = new ListeningTarget(spawnTied('KILL', ['ffmpeg', ...args], { stdio: 'ignore' }), directory, path);
    // A restream that comes earlier would begin with a retry.
    await waitFor(() => isTaken(Number(new URL(url).port)), { what: `a program to listen at ${url}` });
    return target;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Resolves once the file has so many bytes. */
  async has(bytes: number): Promise<void> {
    const size = async () => (await stat(this.path).catch(() => undefined))?.size ?? 0;
    await waitFor(async () => (await size()) >= bytes, { what: `${bytes} bytes at the target` });
  }

  async die(): Promise<void> {
    if (this.hasEnded) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }

  /** Decodes the stored media. Returns its codecs, the number of pictures, and the volume of the sound in dB. */
  async probe() {
    await this.die();
    const shown = ['-v', 'error', '-of', 'json', '-show_streams', '-count_frames', this.path];
    const { streams = [] } = JSON.parse(spawnSync('ffprobe', shown).stdout.toString()) as {
      streams?: Record<string, string>[];
    };
    const of = (kind: string) => streams.find(stream => stream['codec_type'] === kind);
    const measure = ['-hide_banner', '-nostdin', '-i', this.path, '-af', 'volumedetect', '-f', 'null', '-'];
    const measured = spawnSync('ffmpeg', measure).stderr.toString();
    const [video, audio] = [of('video'), of('audio')];
    return {
      video: video?.['codec_name'],
      size: `${video?.['width']}x${video?.['height']}`,
      pictures: Number(video?.['nb_read_frames']),
      audio: audio?.['codec_name'],
      volume: Number(/mean_volume: (-?[\d.]+) dB/.exec(measured)?.[1]),
      errors: /error while decoding|Invalid data/i.exec(measured)?.[0],
    };
  }

  async close(): Promise<void> {
    await this.die();
    await rm(this.directory, { recursive: true, force: true });
  }
}
