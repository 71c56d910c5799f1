import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { parseRtpPacket } from '@rtms/bitstream';
import type { Bus, Closeable } from '@rtms/bus';
import { systemClock as clock } from '@rtms/clock';
import { sfuCommands, type FeedDestination, type MediaKind } from '@rtms/contracts';
import { senderReport } from '@rtms/whip-publisher';
import { lipSyncOf } from '../../test/system/harness/lip-sync.js';
import { StreamWriter } from '../../apps/transcoder/src/encoder/matroska/stream-writer.js';
import { isKeyframe, SourceFeed, type TimedFrame } from '../../apps/transcoder/src/rtp/source-feed.js';

export const streams: Record<MediaKind, { payloadType: number; ssrc: number; clockRate: number; codec: string }> = {
  audio: { payloadType: 111, ssrc: 71, clockRate: 48_000, codec: 'OPUS' },
  video: { payloadType: 102, ssrc: 72, clockRate: 90_000, codec: 'H264' },
};
export const address = { listenIP: '127.0.0.1', announcedIP: '127.0.0.1' };
const reportEveryMs = 200;
/** From 1900, where NTP begins, to 1970. */
const epochMs = 2_208_988_800_000;

/** Milliseconds from flashes to their beeps in the media of a node, the median. Positive: the sound is late. */
export async function lipSyncMsOf(bus: Bus, sfuNodeID: string, path: string, seconds: number): Promise<number> {
  const frames: TimedFrame[] = [];
  const needs = { decodes: () => true, needsVideo: true };
  const request = { feedID: 'watched', sourceID: 'ext_1', sfuNodeID, tracks: ['audio', 'video'] as const };
  const listener = { onFrame: (frame: TimedFrame) => void frames.push(frame), onDamage: () => undefined };
  const feed = await SourceFeed.opener(address, clock)(bus, request, needs, listener);
  await clock.pause(seconds * 1_000);
  await feed.close();
  // Reports of both streams have arrived by now.
  const settled = frames.filter(({ timeMs }) => timeMs > clock.now() - (seconds - 2) * 1_000);
  const first = settled.find(isKeyframe);
  if (!first) throw new Error('no keyframe came');
  const written: Buffer[] = [];
  const writer = new StreamWriter({ write: data => written.push(data) > 0 }, feed.codecs, first);
  for (const frame of settled) if (frame.timeMs >= first.timeMs) writer.write(frame);
  await writeFile(path, Buffer.concat(written));
  const offsets = (await lipSyncOf(path)).sort((a, b) => a - b);
  return offsets[offsets.length >> 1] ?? NaN;
}

/**
 * Passes RTP on as mediasoup does to a viewer. mediasoup's sender reports say that the newest packet of a stream belongs to the time at
 * which it arrived.
 */
export async function serveViewers(bus: Bus, nodeID: string) {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let destinations: FeedDestination[] = [];
  const newest = new Map<MediaKind, { timestamp: number; at: number }>();
  const answers: Closeable[] = [
    await bus.respond(sfuCommands.openFeed.forNode(nodeID), async request => {
      ({ destinations } = request);
      const channels = { audio: { channels: 2 }, video: {} };
      const tracks = destinations.map(({ kind }) => {
        return { trackID: kind, kind, parameters: {}, ...streams[kind], ...channels[kind] };
      });
      return { tracks };
    }),
    await bus.respond(sfuCommands.closeFeed.forNode(nodeID), async () => ({})),
  ];
  const reports = clock.every(reportEveryMs, () => {
    const now = clock.now();
    for (const { kind, ip, rtcpPort } of destinations) {
      const last = newest.get(kind);
      if (!last) continue;
      const { ssrc, clockRate } = streams[kind];
      const rtpTimestamp = last.timestamp + Math.round(((now - last.at) * clockRate) / 1_000);
      const counts = { packets: 0, bytes: 0 };
      socket.send(senderReport({ ssrc }, { ntpMs: now + epochMs, rtpTimestamp }, counts), rtcpPort, ip);
    }
  });
  return {
    take: (datagram: Buffer): void => {
      const packet = parseRtpPacket(datagram);
      if (!packet) return;
      const kind = packet.ssrc === streams.video.ssrc ? 'video' : 'audio';
      newest.set(kind, { timestamp: packet.timestamp, at: clock.now() });
      const to = destinations.find(each => each.kind === kind);
      if (to) socket.send(datagram, to.rtpPort, to.ip);
    },
    close: async (): Promise<void> => {
      reports.cancel();
      destinations = [];
      await Promise.all(answers.map(answer => answer.close()));
      socket.close();
    },
  };
}
