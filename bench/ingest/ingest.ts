// Measures the CPU of an ingest node for encoders of SRT and RTMP, beside one bare FFmpeg for each encoder. The bare FFmpeg does the same
// work: it takes the protocol, converts with the same arguments, and sends SRTP. Both take their turns. Prints one JSON line. After
// `npm run build`.
//   npm run bench:ingest -- [seconds] [rounds] [encoders] [cases, as srtCopy,rtmpCopy]
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@rtms/testing';
import { conversionArguments, type ConversionPlan } from '../../apps/ingest/src/publishing/conversion-plan.js';
import { LiveEncoder } from '../../test/system/harness/live-encoder.js';
import { descendants } from '../../test/system/harness/processes.js';
import { startStack } from '../../test/system/harness/stack.js';
import { percentile } from '../percentile.js';
import { cpuSeconds } from '../process-usage.js';

const [seconds = 20, rounds = 3, encoders = 4] = process.argv.slice(2, 5).map(Number);
/** Starting costs CPU too, and has ended by then. */
const settleMs = 5_000;
const frameRate = 30;

interface Case {
  protocol: 'srt' | 'rtmp';
  plan: ConversionPlan;
}

const copied = { container: 'flv', kinds: ['audio', 'video'], video: 'copy', renditions: [] } as const;
const cases: Record<string, Case & { file: 'plain.mkv' | 'b-frames.mkv' }> = {
  srtCopy: { protocol: 'srt', file: 'plain.mkv', plan: copied },
  rtmpCopy: { protocol: 'rtmp', file: 'plain.mkv', plan: copied },
  rtmpBFrames: {
    ...{ protocol: 'rtmp', file: 'b-frames.mkv' },
    plan: { ...copied, video: { frameRate, bitrate: 2_800_000 } },
  },
};
const chosen = (process.argv[5] ?? Object.keys(cases).join(',')).split(',');

/** Cores of one encoder. `link`: the FFmpeg that takes SRT. `node`: the process of the ingest node, above its idle state. */
interface Turn {
  node: number;
  link: number;
  conversion: number;
  all: number;
  bare: number;
}

const folder = await mkdtemp(join(tmpdir(), 'rtms-bench-'));
// Before the stack, whose idle connections would end meanwhile.
makeMedia();
const stack = await startStack({ dedicatedPostgres: true, env: { LIMIT_ENCODER_PLACES: '100' } });
try {
  for (const feature of ['srt', 'rtmp'])
    await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature, enabled: true });
  const [rtmp, srt] = [await freePort(), await freePort()];
  const ports = { RTMP_PORT: String(rtmp), SRT_PORTS: `${srt}-${srt + encoders - 1}` };
  const node = await stack.addIngest('ingest-1', { ...ports, MAX_ENCODERS: '100' });
  const [idle = 0] = await coresOf(() => [[node.pid]]);
  const turns: Record<string, Turn[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const name of chosen) {
      const { protocol, file, plan } = cases[name]!;
      const [all = 0, link = 0, conversion = 0] = await oursFor(protocol, file, node.pid);
      const ours = { all: all - idle / encoders, link, conversion, node: all - link - conversion - idle / encoders };
      (turns[name] ??= []).push({ ...ours, bare: await bareFor({ protocol, plan }, file) });
    }
  const report = Object.fromEntries(Object.entries(turns).map(([name, each]) => [name, medians(each)]));
  const load = loadavg().map(each => Math.round(each * 10) / 10);
  console.log(JSON.stringify({ bench: 'ingest', seconds, rounds, encoders, load, idle: rounded(idle), ...report }));
} finally {
  await stack.close();
  await rm(folder, { recursive: true, force: true });
}

/** 20 s of H264 with 2.5 Mbit/s and of AAC. Encoders send copies, because they are not measured. */
function makeMedia(): void {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${frameRate},noise=alls=6:allf=t`];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const h264 = ['-c:v', 'libx264', '-preset', 'superfast', '-pix_fmt', 'yuv420p', '-g', String(frameRate)];
  const rate = ['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k'];
  for (const [file, frames] of Object.entries({ 'plain.mkv': '0', 'b-frames.mkv': '2' })) {
    const output = [...h264, ...rate, '-bf', frames, '-c:a', 'aac', '-ar', '44100', '-ac', '2', '-b:a', '128k'];
    const args = ['-v', 'error', ...picture, ...sound, '-t', '20', ...output, join(folder, file)];
    const { status, stderr } = spawnSync('ffmpeg', args);
    if (status !== 0) throw new Error(`FFmpeg made no media: ${stderr.toString()}`);
  }
}

function send(file: string, output: readonly string[]): LiveEncoder {
  const input = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', join(folder, file), '-c', 'copy'];
  return LiveEncoder.program('ffmpeg', [...input, ...output]);
}

/** Cores of the node and its children for one encoder: all, the FFmpegs that take SRT, the FFmpegs that convert. */
async function oursFor(protocol: Case['protocol'], file: string, pid: number): Promise<number[]> {
  const { api } = stack;
  const sent: { meetingID: string; sessionID: string; encoder: LiveEncoder }[] = [];
  for (let i = 0; i < encoders; i += 1) {
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID, ['video', 'audio'], protocol);
    const { url, passphrase = '', streamKey = '' } = ingest;
    const srt = ['-f', 'mpegts', `${url}&mode=caller&passphrase=${passphrase}`];
    const encoder = send(file, protocol === 'srt' ? srt : ['-f', 'flv', `${url}/${streamKey}`]);
    sent.push({ meetingID, sessionID, encoder });
  }
  for (const { meetingID, sessionID } of sent) await api.sessionBecomes(meetingID, sessionID, 'active');
  const children = descendants(pid);
  const pidsOf = (word: string) => children.filter(({ command }) => command.includes(word)).map(each => each.pid);
  const used = await coresOf(() => [[pid, ...children.map(each => each.pid)], pidsOf('concat'), pidsOf('rtsp')]);
  for (const { meetingID, sessionID, encoder } of sent) {
    await encoder.vanish();
    await api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${sessionID}`);
  }
  return used.map(each => each / encoders);
}

/** Cores of each group of processes. */
async function coresOf(groups: () => number[][]): Promise<number[]> {
  await pause(settleMs);
  const sums = () => groups().map(pids => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0));
  const before = sums();
  await pause(seconds * 1_000);
  return sums().map((after, i) => (after - (before[i] ?? 0)) / seconds);
}

/** Cores of one FFmpeg that takes the protocol, converts, and sends SRTP to a socket that drops it. */
async function bareFor(of: Case, file: string): Promise<number> {
  const sink = createSocket('udp4').on('message', () => undefined);
  sink.bind(0, '127.0.0.1');
  await once(sink, 'listening');
  const receivers: LiveEncoder[] = [];
  const senders: LiveEncoder[] = [];
  const pids: number[] = [];
  try {
    for (let i = 0; i < encoders; i += 1) {
      const port = await freePort();
      const key = 'p'.repeat(32);
      const address =
        of.protocol === 'srt' ? `srt://127.0.0.1:${port}?passphrase=${key}` : `rtmp://127.0.0.1:${port}/live/x`;
      const args = bareArguments(of, of.protocol === 'srt' ? `${address}&mode=listener` : address, sink.address());
      const receiver = LiveEncoder.program('ffmpeg', args);
      receivers.push(receiver);
      pids.push(receiver.pid);
      // The receiver listens within this time; a refused sender would end.
      await pause(1_000);
      senders.push(send(file, ['-f', of.protocol === 'srt' ? 'mpegts' : 'flv', address]));
    }
    const [used = 0] = await coresOf(() => [pids]);
    const dead = [...receivers, ...senders].find(({ isRunning }) => !isRunning);
    if (dead) throw new Error(`a bare FFmpeg ended: ${dead.said}`);
    return used / encoders;
  } finally {
    for (const each of [...senders, ...receivers]) await each.vanish();
    sink.close();
  }
}

function bareArguments({ protocol, plan }: Case, input: string, { port }: AddressInfo): string[] {
  const ours = conversionArguments(plan, '', 1_000);
  const [video, audio, end] = [ours.indexOf('-map'), ours.lastIndexOf('-map'), ours.indexOf('-max_interleave_delta')];
  const key = Buffer.alloc(30, 7).toString('base64');
  const srtp = ['-f', 'rtp', '-srtp_out_suite', 'AES_CM_128_HMAC_SHA1_80', '-srtp_out_params', key];
  const output = [...srtp, `srtp://127.0.0.1:${port}?pkt_size=1200`];
  return [
    ...['-v', 'error', '-nostats', '-probesize', '1000000', '-analyzeduration', '700000'],
    ...(protocol === 'srt' ? ['-f', 'mpegts'] : ['-listen', '1', '-f', 'flv']),
    ...['-i', input, ...ours.slice(video, audio), ...output, ...ours.slice(audio, end), ...output],
  ];
}

function medians(turns: readonly Turn[]) {
  const of = (key: keyof Turn) => medianOf(turns.map(turn => turn[key]));
  const [node, link, conversion, all, bare] = (['node', 'link', 'conversion', 'all', 'bare'] as const).map(of);
  return {
    node,
    link,
    conversion,
    all,
    bare,
    ratio: medianOf(
      turns.map(turn => turn.all / turn.bare),
      100,
    ),
  };
}

function medianOf(values: readonly number[], steps = 10_000): number {
  return (
    Math.round(
      percentile(
        values.map(each => each * steps),
        0.5,
      ),
    ) / steps
  );
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
