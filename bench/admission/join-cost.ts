import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '../../test/system/harness/stack.js';
import { RtpPublisher } from '../fanout/rtp-publisher.js';
import { Viewer } from '../fanout/viewer.js';

const viewers = 60;
const atOnce = 10;
const holdMs = 10_000;

/**
 * Returns the CPU time of the media worker for one viewer's ICE and DTLS handshake, in ms. The tracks are paused, so viewers get no
 * packets. Subtracts the CPU time that the worker uses for all of them when nobody joins.
 */
export async function measureJoins({ api, sfu }: Stack): Promise<number> {
  const read = async (): Promise<{ cpuMs: number; at: number }> => {
    const cpuSeconds = await sfu.metric('rtms_sfu_worker_cpu_seconds_total', { worker: '0' });
    return { cpuMs: cpuSeconds * 1_000, at: performance.now() };
  };
  const meetingID = await api.createRoom();
  const { sessionID, ingest } = await api.openSession(meetingID, ['audio', 'video']);
  const publisher = new RtpPublisher(1);
  const joined: Viewer[] = [];
  try {
    await publisher.publish(ingest.url, ingest.token);
    const { tracks } = await api.sessionBecomes(meetingID, sessionID, 'active');
    for (const { trackID } of tracks) {
      const path = `/v1/meetings/${meetingID}/external-sessions/${sessionID}/tracks/${trackID}`;
      await api.call('POST', path, { action: 'pause' });
    }
    const { endpoint, token } = await api.openPlayback(meetingID, sessionID);
    const first = await read();
    while (joined.length < viewers) {
      const some = Array.from({ length: atOnce }, (_, at) => new Viewer(endpoint, token, `join-${joined.length + at}`));
      joined.push(...some);
      await Promise.all(some.map(viewer => viewer.connect()));
    }
    const second = await read();
    await pause(holdMs);
    const third = await read();
    const idle = (third.cpuMs - second.cpuMs) / (third.at - second.at);
    return (second.cpuMs - first.cpuMs - idle * (second.at - first.at)) / viewers;
  } finally {
    await Promise.all(joined.map(viewer => viewer.close()));
    publisher.close();
    await api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  }
}
