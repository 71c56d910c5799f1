// CPU of a broadcast beside the bare FFmpeg with the same ladder, alone and among several. Also the time from POST to
// active. Prints one JSON line.
//   npm run bench:hls -- [segments] [broadcasts at a time, as 2,4]
import { EncoderPublisher } from '@rtms/testing';
import { ApiClient, type Broadcast } from '../../test/system/harness/api-client.js';
import { runningService } from '../running-service.js';
import { measureBareFfmpeg } from './bare-ffmpeg.js';
import { completedSegments, cpuPerSegment, encoderPids, transcoderPid } from './encoder-cpu.js';

const source = { size: '1280x720', frameRate: 30, bitrate: '2500k' };
const segments = Number(process.argv[2] ?? 10);
const manyBroadcasts = (process.argv[3] ?? '').split(',').filter(Boolean).map(Number);
const segmentSeconds = Number(process.env['SEGMENT_SECONDS'] ?? 2);
const ffmpeg = process.env['FFMPEG_PATH'] ?? 'ffmpeg';

const service = await runningService();
let open = 0;
const api = new ApiClient(service.gateway, `${service.apiUserName}:${service.apiKey}`);
const meetingID = await api.createRoom();
const session = await api.openSession(meetingID);
const publisher = await EncoderPublisher.publish({
  url: session.ingest.url,
  token: session.ingest.token,
  profile: 'high',
  ...source,
});
try {
  await api.sessionBecomes(meetingID, session.sessionID, 'active');
  const postedAt = performance.now();
  const { broadcastID, renditions } = await broadcast();
  const activeMs = Math.round(performance.now() - postedAt);
  const broadcastCpu = await measureBroadcasts(1);
  const cpuOfEach: Record<string, unknown> = {};
  for (const count of manyBroadcasts) cpuOfEach[count] = await measureBroadcasts(count);
  await api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  const video = renditions.map(({ name, width, height, videoBitrate: bitrate }) => ({ name, width, height, bitrate }));
  const frameRate = { numerator: renditions[0]!.frameRate, denominator: 1 };
  const plan = { broadcastID, segmentSeconds, frameRate, video, hasAudio: true };
  const bareCpu = await measureBareFfmpeg(ffmpeg, source, plan, segments);
  const figures = {
    broadcastCpu,
    cpuOfEach,
    bareCpu,
    ratio: broadcastCpu.total / bareCpu,
    activeMs,
    activeAimMs: segmentSeconds * 2000 + 1500,
  };
  console.log(JSON.stringify({ bench: 'hls', renditions: video.map(({ name }) => name), ...figures }));
} finally {
  await publisher.vanish();
  await api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  await service.close();
}

async function broadcast(): Promise<Broadcast> {
  const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
  open += 1;
  return api.broadcastBecomes(meetingID, broadcastID, 'active');
}

/**
 * CPU seconds a segment of the encoder and of the service around it, for each of `count` broadcasts. Counts the
 * segments in FFmpeg's directory, because requests would cost the service CPU.
 */
async function measureBroadcasts(count: number): Promise<{ encoder: number; service: number; total: number }> {
  while (open < count) await broadcast();
  const node = transcoderPid(new URL(service.transcoder).port);
  const encoders = encoderPids(node);
  if (encoders.length !== count) throw new Error(`the transcoder has ${encoders.length} encoders instead of ${count}`);
  const completed = () => completedSegments(`/proc/${encoders[0]}/cwd`);
  const used = await cpuPerSegment([...encoders, node], completed, segments);
  const total = used.reduce((sum, each) => sum + each, 0) / count;
  const own = used.at(-1)! / count;
  return { encoder: total - own, service: own, total };
}
