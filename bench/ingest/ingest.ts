// Measures the CPU of an ingest node for one encoder, its FFmpeg processes included, beside a bare FFmpeg that converts the same media.
// Prints one JSON line. After `npm run build`.
//   npm run bench:ingest -- [seconds]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@rtms/testing';
import { LiveEncoder, type LiveMedia } from '../../test/system/harness/live-encoder.js';
import { descendants } from '../../test/system/harness/processes.js';
import { startStack } from '../../test/system/harness/stack.js';
import { cpuSeconds } from '../process-usage.js';

const [seconds = 20] = process.argv.slice(2).map(Number);
/** Starting costs CPU too, and has ended by then. */
const settleMs = 5_000;
const picture = { size: '1280x720', frameRate: 30 };
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-b:v', '2500k'];
const cases: Record<string, { protocol: 'srt' | 'rtmp'; media: LiveMedia; video: string[] }> = {
  rtmpCopy: { protocol: 'rtmp', media: { ...picture, video: [...x264, '-bf', '0'] }, video: ['-c:v', 'copy'] },
  srtCopy: { protocol: 'srt', media: { ...picture, video: [...x264, '-bf', '0'] }, video: ['-c:v', 'copy'] },
  rtmpBFrames: {
    protocol: 'rtmp',
    media: { ...picture, video: [...x264, '-bf', '2', '-b_strategy', '0'] },
    video: ['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'baseline', '-g', '30'],
  },
};

const stack = await startStack({ dedicatedPostgres: true });
const report: Record<string, { cores: number; bareCores: number }> = {};
try {
  for (const feature of ['srt', 'rtmp'])
    await stack.admin.expect(200, 'PUT', '/admin/v1/features', { feature, enabled: true });
  const [rtmp, srt] = [await freePort(), await freePort()];
  const node = await stack.addIngest('ingest-1', { RTMP_PORT: String(rtmp), SRT_PORTS: `${srt}-${srt}` });
  for (const [name, { protocol, media, video }] of Object.entries(cases)) {
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID, ['video', 'audio'], protocol);
    const encoder = protocol === 'srt' ? LiveEncoder.srt(ingest, media) : LiveEncoder.rtmp(ingest, media);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    const cores = await coresOf(() => [node.pid, ...descendants(node.pid).map(({ pid }) => pid)]);
    await encoder.vanish();
    await stack.api.expect(200, 'DELETE', `/v1/meetings/${meetingID}/external-sessions/${sessionID}`);
    report[name] = { cores, bareCores: await bareCores(media, video) };
  }
  console.log(JSON.stringify({ bench: 'ingest', seconds, ...report }));
} finally {
  await stack.close();
}

/** Cores that the processes use. */
async function coresOf(pids: () => number[]): Promise<number> {
  await pause(settleMs);
  const sum = (): number => pids().reduce((all, pid) => all + cpuSeconds(pid), 0);
  const before = sum();
  await pause(seconds * 1_000);
  return Math.round(((sum() - before) / seconds) * 1_000) / 1_000;
}

/** FFmpeg alone, from FLV in a pipe to RTP that nobody receives. */
async function bareCores(media: LiveMedia, video: string[]): Promise<number> {
  const audio = ['-c:a', 'libopus', '-b:a', '128k'];
  const outputs = ['-map', '0:v', ...video, '-f', 'rtp', 'rtp://127.0.0.1:9?pkt_size=1200'];
  const args = ['-v', 'quiet', '-f', 'flv', '-i', 'pipe:0', ...outputs, '-map', '0:a', ...audio, '-f', 'rtp'];
  const ffmpeg = spawn('ffmpeg', [...args, 'rtp://127.0.0.1:11?pkt_size=1200'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const encoder = LiveEncoder.pipe(media, ffmpeg.stdin);
  try {
    return await coresOf(() => [ffmpeg.pid ?? 0]);
  } finally {
    await encoder.vanish();
    ffmpeg.kill('SIGKILL');
    await once(ffmpeg, 'close');
  }
}
