// CPU of a broadcast beside the bare FFmpeg with the same ladder, and POST → active. Prints one JSON line.
import { EncoderPublisher } from '@rtms/testing';
import { ApiClient } from '../../test/system/harness/api-client.js';
import { runningService } from '../running-service.js';
import { measureBareFfmpeg } from './bare-ffmpeg.js';
import { completedSegments, cpuPerSegment, encoderPids, transcoderPid } from './encoder-cpu.js';

const source = { size: '1280x720', frameRate: 30, bitrate: '2500k' };
const segments = Number(process.argv[2] ?? 10);
const segmentSeconds = Number(process.env['SEGMENT_SECONDS'] ?? 2);
const ffmpeg = process.env['FFMPEG_PATH'] ?? 'ffmpeg';

const service = await runningService();
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
  const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
  const { renditions } = await api.broadcastBecomes(meetingID, broadcastID, 'active', 120_000);
  const activeMs = Math.round(performance.now() - postedAt);
  const broadcastCpu = await measureBroadcast();
  await api.call('DELETE', `/v1/meetings/${meetingID}/broadcasts/${broadcastID}`);
  const video = renditions.map(({ name, width, height, videoBitrate: bitrate }) => ({ name, width, height, bitrate }));
  const frameRate = { numerator: renditions[0]!.frameRate, denominator: 1 };
  const plan = { broadcastID, segmentSeconds, frameRate, video, hasAudio: true };
  const bareCpu = await measureBareFfmpeg(ffmpeg, source, plan, segments);
  const figures = {
    broadcastCpu,
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

/** CPU seconds a segment of the encoder and of the service around it. The segments are counted where FFmpeg writes them: to ask the service would cost it CPU. */
async function measureBroadcast(): Promise<{ encoder: number; service: number; total: number }> {
  const node = transcoderPid(new URL(service.transcoder).port);
  const [encoder] = encoderPids(node);
  if (encoder === undefined) throw new Error('the transcoder has no encoder');
  const completed = () => completedSegments(`/proc/${encoder}/cwd`);
  const [encoderShare, serviceShare] = await cpuPerSegment([encoder, node], completed, segments);
  return { encoder: encoderShare!, service: serviceShare!, total: encoderShare! + serviceShare! };
}
