import { setTimeout as pause } from 'node:timers/promises';
import { EncoderPublisher, type SeededRandom } from '@rtms/testing';
import { RoomClient } from '../../apps/gateway/src/testing/room-client.js';
import type { ApiClient } from '../../test/system/harness/api-client.js';
import { RtpPublisher } from '../fanout/rtp-publisher.js';
import { Viewer } from '../fanout/viewer.js';

export interface Stage {
  api: ApiClient;
  random: SeededRandom;
}

/**
 * A scene in one room. It closes everything that it opens on this side, and leaves the service's resources to the
 * service.
 */
export type Scene = (stage: Stage, meetingID: string) => Promise<void>;

/** A session with viewers, who leave, vanish or stay until the session's end. */
const viewers: Scene = async ({ api, random }, meetingID) => {
  const { sessionID, ingest } = await api.openSession(meetingID);
  const publisher = new RtpPublisher();
  const watching: Viewer[] = [];
  try {
    await publisher.publish(ingest.url, ingest.token);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { endpoint, token } = await api.openPlayback(meetingID, sessionID);
    for (let index = random.between(1, 3); index > 0; index--) {
      const viewer = new Viewer(endpoint, token, `soak-${meetingID}-${index}`);
      watching.push(viewer);
      await viewer.connect();
      await pause(random.between(0, 500));
    }
    if (random.chance(0.3)) await api.call('DELETE', `/v1/meetings/${meetingID}/external-sessions/${sessionID}`);
  } finally {
    if (random.chance(0.3)) publisher.close();
    await Promise.allSettled(watching.map(viewer => viewer.close()));
    publisher.close();
  }
};

type Output = (stage: Stage, meetingID: string, sessionID: string) => Promise<void>;

const broadcast: Output = async ({ api, random }, meetingID, sessionID) => {
  const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
  if (random.chance(0.5)) await api.broadcastBecomes(meetingID, broadcastID, 'active');
  await pause(random.between(0, 2_000));
  if (random.chance(0.5)) await api.call('DELETE', `/v1/meetings/${meetingID}/broadcasts/${broadcastID}`);
};

const recording: Output = async ({ api, random }, meetingID, sessionID) => {
  const { body } = await api.call('POST', '/v1/recordings', { action: 'start', meetingID, sourceSessionID: sessionID });
  await pause(random.between(500, 4_000));
  const { recordingID } = (body as unknown as { recording: { recordingID: string } }).recording;
  if (random.chance(0.5)) await api.call('POST', '/v1/recordings', { action: 'stop', recordingID });
};

/** An encoder whose session is broadcast, recorded or both, and which leaves or vanishes. */
function encoder(outputs: readonly Output[]): Scene {
  return async (stage, meetingID) => {
    const { api, random } = stage;
    const { sessionID, ingest } = await api.openSession(meetingID, ['video']);
    const source = await EncoderPublisher.publish({ ...ingest, size: '160x90', frameRate: 10, audio: false });
    try {
      await api.sessionBecomes(meetingID, sessionID, 'active');
      await Promise.all(outputs.map(output => output(stage, meetingID, sessionID)));
      if (random.chance(0.5)) await source.leave();
    } finally {
      await source.vanish();
    }
  };
}

/** Members who chat, open transports, leave, lose their connection or never connect. */
const members: Scene = async ({ api, random }, meetingID) => {
  const present: RoomClient[] = [];
  try {
    for (let index = random.between(2, 5); index > 0; index--) {
      const { url, token } = await api.join(meetingID, `member ${index}`);
      if (random.chance(0.1)) continue;
      const member = await RoomClient.connect(new URL(url).origin, token);
      present.push(member);
      await member.must('chat.send', { message: `hello of ${index}` });
      if (random.chance(0.7)) await openTransports(member);
    }
    for (const member of present) await depart(member, random);
  } finally {
    for (const member of present) member.close();
  }
};

async function openTransports(member: RoomClient): Promise<void> {
  await member.must('media.open', {});
  for (const direction of ['send', 'receive'] as const) await member.must('media.openTransport', { direction });
}

async function depart(member: RoomClient, random: SeededRandom): Promise<void> {
  await pause(random.between(0, 800));
  const way = random.pick(['leave', 'drop', 'stay'] as const);
  if (way === 'leave') await member.must('leave', {});
  if (way === 'drop') member.drop();
}

export const scenes: Readonly<Record<string, Scene>> = {
  viewers,
  members,
  broadcast: encoder([broadcast]),
  recording: encoder([recording]),
  broadcastAndRecording: encoder([broadcast, recording]),
};
