// A repair of 720p30 with B-frames: its CPU beside bare FFmpeg with the same arguments, ms to its first picture, and ms by which it moves
// sound against pictures for viewers. Prints one JSON line.
//   npm run bench:repair -- [seconds]
import { spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRtpPacket } from '@rtms/bitstream';
import type { Bus } from '@rtms/bus';
import { systemClock as clock } from '@rtms/clock';
import { sfuCommands } from '@rtms/contracts';
import { findFfmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { DrainState } from '@rtms/node';
import { memoryBus, waitFor } from '@rtms/testing';
import { repairArguments, repairer } from '../../apps/transcoder/src/encoder/ffmpeg/ffmpeg-repairer.js';
import { RepairsService } from '../../apps/transcoder/src/jobs/repairs/repairs.service.js';
import { SourceFeed } from '../../apps/transcoder/src/rtp/source-feed.js';
import { sfuNodeID } from '../../apps/transcoder/test/broadcast-bench.js';
import { FakeSfu } from '../../apps/transcoder/test/fake-sfu.js';
import { RtpSource, type RtpSourceOptions } from '../../apps/transcoder/test/rtp-source.js';
import { cpuSeconds } from '../process-usage.js';
import { address, lipSyncMsOf, serveViewers, streams } from './watched-media.js';

const seconds = Number(process.argv[2] ?? 15);
const videoBitrate = 2_500_000;
const settledMs = 8_000;
const maxSource = { pixels: 1920 * 1080, pixelsPerSecond: 1920 * 1080 * 60 };
const ffmpeg = await findFfmpeg(process.env['FFMPEG_PATH']);

const repaired = await measureRepair();
const bare = await measureBare();
const cores = { encoder: repaired.encoder, service: repaired.service, bare };
const { firstPictureMs } = repaired;
console.log(JSON.stringify({ bench: 'repair', seconds, cores, firstPictureMs, lipSyncMs: await measureLipSync() }));

/** `service`: this process, which also plays the SFU node at both ends. */
async function measureRepair() {
  const begunAt = clock.now();
  let firstPictureAt: number | undefined;
  const source = { size: '1280x720', frameRate: '30' };
  const onPacket = (datagram: Buffer): void => {
    if (parseRtpPacket(datagram)?.ssrc === streams.video.ssrc) firstPictureAt ??= clock.now();
  };
  return whileRepaired(source, onPacket, async repairs => {
    await waitFor(() => firstPictureAt !== undefined, { what: 'the first picture', timeoutMs: 60_000 });
    const firstPictureMs = (firstPictureAt ?? 0) - begunAt;
    await clock.pause(settledMs);
    const [pid = 0] = repairs.encoderPids().values();
    const usage = await coresOf([pid ?? 0, process.pid]);
    return { firstPictureMs, encoder: usage[0], service: usage[1] };
  });
}

/** Milliseconds by which the repair moves sound against pictures. FFmpeg itself sends B-frames a little late. */
async function measureLipSync(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-bench-'));
  const isBeginning = 'lt(mod(t,1),0.1)';
  const source = {
    ...{ size: '1280x720', frameRate: '30', picture: 'color=black' },
    filters: `drawbox=color=white:t=fill:enable='${isBeginning}'`,
    sound: `aevalsrc='sin(2*PI*1000*t)*${isBeginning}':sample_rate=48000`,
  };
  let take: (datagram: Buffer) => void = () => undefined;
  const pass = (datagram: Buffer): void => take(datagram);
  try {
    return await whileRepaired(source, pass, async (_repairs, bus) => {
      const viewers = await serveViewers(bus, 'viewers');
      take = viewers.take;
      await clock.pause(settledMs);
      const repaired = await lipSyncMsOf(bus, 'viewers', join(directory, 'repaired.mkv'), seconds);
      await viewers.close();
      return repaired - (await lipSyncMsOf(bus, sfuNodeID, join(directory, 'source.mkv'), seconds));
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function whileRepaired<Result>(
  source: Omit<RtpSourceOptions, 'video' | 'bFrames'>,
  onPacket: (datagram: Buffer) => void,
  measure: (repairs: RepairsService, bus: Bus) => Promise<Result>,
): Promise<Result> {
  const [bus, inlet] = [await memoryBus(), await openSocket()];
  const sfu = await FakeSfu.open(bus, sfuNodeID, () => new RtpSource({ ...source, video: 'h264', bFrames: 2 }));
  inlet.on('message', onPacket);
  await bus.respond(sfuCommands.openRepair.forNode(sfuNodeID), async ({ senders }) => ({
    inputs: senders.map(({ kind }) => {
      const { payloadType, ssrc } = streams[kind];
      return { kind, ip: '127.0.0.1', port: inlet.address().port, payloadType, ssrc };
    }),
  }));
  await bus.respond(sfuCommands.keepRepair.forNode(sfuNodeID), async () => ({ isWanted: true }));
  const [openFeed, startRepairer] = [SourceFeed.opener(address, clock), repairer(ffmpeg, clock)];
  const logger = createLogger({ service: 'transcoder', level: 'silent' });
  const parts = { bus, openFeed, startRepairer, address, drain: new DrainState(), clock, logger };
  const repairs = new RepairsService(parts, 1);
  try {
    const session = { repairID: 'rep_1', sessionID: 'ext_1', accountID: 'acct_1', sfuNodeID, videoBitrate };
    await repairs.start({ ...session, tracks: ['audio', 'video'], maxSource });
    return await measure(repairs, bus);
  } finally {
    await repairs.close();
    await sfu.close();
    await bus.close();
    inlet.close();
  }
}

/** FFmpeg alone reads the same kind of media from a file in real time. */
async function measureBare(): Promise<number | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-bench-'));
  const socket = await openSocket();
  try {
    const file = join(directory, 'picture.mkv');
    const make = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30', '-t', `${seconds + 10}`];
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-b_strategy', '0', '-pix_fmt', 'yuv420p'];
    spawnSync(ffmpeg.path, [...make, ...h264, '-g', '30', '-b:v', `${videoBitrate}`, file]);
    const { port } = socket.address();
    const plan = { size: { width: 1280, height: 720 }, bitrate: videoBitrate, maxPixels: maxSource.pixels, ssrc: 7 };
    const args = repairArguments({ ...plan, rtpPort: port, rtcpPort: port }).flatMap(each =>
      each === 'pipe:0' ? [file] : each === '-i' ? ['-re', '-i'] : [each],
    );
    const bareProcess = spawn(ffmpeg.path, args, { stdio: 'ignore' });
    await clock.pause(2_000);
    const [used] = await coresOf([bareProcess.pid ?? 0]);
    bareProcess.kill('SIGKILL');
    return used;
  } finally {
    socket.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function coresOf(pids: readonly number[]): Promise<number[]> {
  const [before, begunAt] = [pids.map(cpuSeconds), performance.now()];
  await clock.pause(seconds * 1_000);
  const elapsed = (performance.now() - begunAt) / 1_000;
  return pids.map((pid, i) => Math.round(((cpuSeconds(pid) - (before[i] ?? 0)) / elapsed) * 1_000) / 1_000);
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
