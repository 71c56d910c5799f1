import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseRtpPacket, parseSliceStart, nalUnitStarts, parseH264Payload, type RtpPacket } from '@rtms/bitstream';
import type { Bus, Closeable } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { sfuCommands, type MediaKind, type RepairSender, type StartRepairRequest } from '@rtms/contracts';
import { findFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { DrainState } from '@rtms/node';
import { memoryBus, waitFor } from '@rtms/testing';
import { sfuNodeID } from '../../../test/broadcast-bench.js';
import { FakeSfu } from '../../../test/fake-sfu.js';
import { RtpSource } from '../../../test/rtp-source.js';
import { SourceFeed } from '../../rtp/source-feed.js';
import { repairer } from '../../encoder/ffmpeg/ffmpeg-repairer.js';
import { RepairsService } from './repairs.service.js';

const address = { listenIP: '127.0.0.1', announcedIP: '127.0.0.1' };
const payloadTypes: Record<MediaKind, number> = { audio: 111, video: 102 };
const ssrcs: Record<MediaKind, number> = { audio: 71, video: 72 };

/** The SFU node's ports for one repair. */
class Inlet {
  readonly packets: Record<MediaKind, { packet: RtpPacket; at: number }[]> = { audio: [], video: [] };
  senders: RepairSender[] = [];
  sources = new Set<number>();
  isWanted = true;
  readonly leaving: boolean[] = [];
  private readonly opened: Closeable[] = [];

  constructor(private readonly socket: Socket) {
    socket.on('message', (datagram, { port }) => {
      const packet = parseRtpPacket(datagram);
      const kind = packet?.ssrc === ssrcs.audio ? 'audio' : 'video';
      if (packet) this.packets[kind].push({ packet, at: Date.now() });
      this.sources.add(port);
    });
  }

  static async open(bus: Bus): Promise<Inlet> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const inlet = new Inlet(socket);
    inlet.opened.push(
      await bus.respond(sfuCommands.openRepair.forNode(sfuNodeID), async ({ senders }) => {
        inlet.senders = senders;
        const { port } = socket.address();
        const input = ({ kind }: RepairSender) => {
          return { kind, ip: '127.0.0.1', port, payloadType: payloadTypes[kind], ssrc: ssrcs[kind] };
        };
        return { inputs: senders.map(input) };
      }),
      await bus.respond(sfuCommands.keepRepair.forNode(sfuNodeID), async ({ isLeaving }) => {
        inlet.leaving.push(isLeaving);
        return { isWanted: inlet.isWanted };
      }),
    );
    return inlet;
  }

  async receives(kind: MediaKind, count: number): Promise<void> {
    const what = `${count} packets of ${kind}`;
    await waitFor(() => this.packets[kind].length >= count, { what });
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.map(each => each.close()));
    this.socket.close();
  }
}

/**
 * Packets that the kernel dropped because nobody read them in time: the last column of /proc/net/udp, of all sockets. A repair leaves out
 * the numbers of packets that it missed itself.
 */
function droppedPackets(): number {
  const rows = readFileSync('/proc/net/udp', 'utf8').trim().split('\n').slice(1);
  return rows.reduce((sum, row) => sum + Number(row.trim().split(/\s+/).at(-1)), 0);
}

describe('a repair', () => {
  let ffmpeg: Ffmpeg;
  let bus: Bus;
  let sfu: FakeSfu;
  let inlet: Inlet;
  let drain: DrainState;
  let repairs: RepairsService;

  beforeAll(async () => {
    ffmpeg = await findFfmpeg();
  });
  beforeEach(async () => {
    bus = await memoryBus();
    sfu = await FakeSfu.open(bus, sfuNodeID, () => new RtpSource({ video: 'h264', size: '320x180', bFrames: 2 }));
    inlet = await Inlet.open(bus);
    drain = new DrainState();
    const [clock, logger] = [systemClock, createLogger({ service: 'transcoder', level: 'silent' })];
    const [openFeed, startRepairer] = [SourceFeed.opener(address, clock), repairer(ffmpeg, clock)];
    repairs = new RepairsService({ bus, openFeed, startRepairer, address, drain, clock, logger }, 2);
  });
  afterEach(async () => {
    await repairs.close();
    await inlet.close();
    await sfu.close();
    await bus.close();
  });

  const request = (changes: Partial<StartRepairRequest> = {}): StartRepairRequest => ({
    ...{ repairID: 'rep_1', sessionID: 'ext_1', accountID: 'acct_1', sfuNodeID, videoBitrate: 1_500_000 },
    ...{ tracks: ['audio', 'video'], maxSource: { pixels: 1920 * 1080, pixelsPerSecond: 1920 * 1080 * 60 } },
    ...changes,
  });
  const pids = () => [...repairs.encoderPids().values()].filter(pid => pid !== undefined);

  it('sends the video without B-frames, and the audio as late as the video', async () => {
    await Promise.all([repairs.start(request()), repairs.start(request())]);
    await inlet.receives('video', 120);
    await inlet.receives('audio', 100);
    const [{ port } = { port: 0 }] = inlet.senders;
    expect([...inlet.sources]).toEqual([port]);
    const video = inlet.packets.video.map(({ packet }) => packet);
    const units = video.flatMap(({ payload }) => nalUnitStarts(parseH264Payload(payload)!));
    const slices = units.flatMap(unit => parseSliceStart(unit) ?? []);
    expect(slices.length).toBeGreaterThan(20);
    expect(slices.filter(({ isB }) => isB)).toEqual([]);
    const times = video.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    let missing = 0;
    for (const kind of ['audio', 'video'] as const) {
      const numbers = inlet.packets[kind].map(({ packet: { sequenceNumber } }) => sequenceNumber);
      const steps = numbers.slice(1).map((number, index) => (number - numbers[index]!) & 0xffff);
      expect(steps).not.toContain(0);
      missing += steps.reduce((sum, step) => sum + step - 1, 0);
      expect(inlet.packets[kind].every(({ packet }) => packet.payloadType === payloadTypes[kind])).toBe(true);
    }
    expect(missing).toBeLessThanOrEqual(droppedPackets());
  });

  it('starts FFmpeg again when it dies', async () => {
    await repairs.start(request());
    await inlet.receives('video', 20);
    const [pid = 0] = pids();
    process.kill(pid, 'SIGKILL');
    await waitFor(() => pids().some(each => each !== pid), { what: 'another FFmpeg' });
    await inlet.receives('video', inlet.packets.video.length + 20);
  });

  it('ends, with its FFmpeg and its feed, when its SFU node no longer wants it', async () => {
    await repairs.start(request());
    await inlet.receives('video', 20);
    const [pid = 0] = pids();
    inlet.isWanted = false;
    await waitFor(() => repairs.isIdle, { what: 'the end of the repair' });
    expect(() => process.kill(pid, 0)).toThrow();
    expect(sfu.openFeeds.size).toBe(0);
    expect(repairs.inventory()).toEqual([]);
  });

  it('tells its SFU node that this node drains, and goes on until another one follows', async () => {
    await repairs.start(request());
    drain.isDraining = true;
    await waitFor(() => inlet.leaving.at(-1) === true, { what: 'the news of the drain' });
    await expect(repairs.start(request({ repairID: 'rep_2' }))).rejects.toMatchObject({
      reason: 'controller_unavailable',
    });
    expect(repairs.load).toBe(1);
  });

  it('is refused above the capacity of the node, and leaves nothing open when the SFU node refuses it', async () => {
    await repairs.start(request());
    await repairs.start(request({ repairID: 'rep_2' }));
    await expect(repairs.start(request({ repairID: 'rep_3' }))).rejects.toMatchObject({ reason: 'capacity_reached' });
    await repairs.close();
    await inlet.close();
    await expect(repairs.start(request({ repairID: 'rep_4' }))).rejects.toThrow();
    expect([repairs.load, sfu.openFeeds.size]).toEqual([0, 0]);
    inlet = await Inlet.open(bus);
  });

  it('decodes no picture above the limits of its account', async () => {
    await repairs.start(request({ maxSource: { pixels: 100, pixelsPerSecond: 100 } }));
    await waitFor(() => repairs.isIdle, { what: 'the end of the repair' });
    expect(inlet.packets.video).toEqual([]);
  });
});
