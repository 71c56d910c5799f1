/** @weight 0.6 for 20 s */
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { probeRenditions } from './harness/hls-probe.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

describe('publishing from an encoder that offers setup:passive, no header extensions and no feedback', () => {
  let stack: SharedStack;

  beforeAll(async () => {
    stack = await sharedStack();
  });

  it.each(['baseline', 'main', 'high'] as const)('broadcasts H264 %s', async profile => {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish({ ...session.ingest, profile, size: '1280x720' });
    const active = await api.sessionBecomes(meetingID, session.sessionID, 'active');
    expect(active.tracks.map(track => track.kind).sort()).toEqual(['audio', 'video']);
    const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
    const broadcast = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    expect(broadcast.renditions.map(({ width, height }) => `${width}x${height}`)[0]).toBe('1280x720');
    const { renditions } = await probeRenditions(broadcast.playbackUrl);
    expect(renditions.every(rendition => rendition.segmentsStartWithKeyframe)).toBe(true);
    expect(await encoder.leave()).toBe(200);
    const ended = await api.sessionBecomes(meetingID, session.sessionID, 'ended');
    expect(ended.endReason).toBe('publisher_left');
    await api.broadcastBecomes(meetingID, broadcastID, 'ended');
  });

  it('reports that keyframes cannot be requested, and their interval', async () => {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish(session.ingest);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    await waitFor(
      async () => (await api.session(meetingID, session.sessionID)).health?.includes('no_keyframe_requests'),
      { what: 'the health to say no_keyframe_requests' },
    );
    await encoder.leave();
  });

  it('refuses a second publisher while the first is live, and admits it once the first has ended', async () => {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    let first = await EncoderPublisher.publish(session.ingest);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    // A busy machine may keep the first one silent for two seconds. Then the newcomer takes its place, and the next one is refused.
    const refusal = async () => {
      const newcomer = await EncoderPublisher.publish(session.ingest).catch(String);
      if (typeof newcomer === 'string') return newcomer;
      await first.vanish();
      first = newcomer;
      await api.sessionBecomes(meetingID, session.sessionID, 'active');
      return undefined;
    };
    expect(await waitFor(refusal, { what: 'the refusal of a second publisher' })).toContain('already_publishing');
    await first.vanish();
    let second: EncoderPublisher | undefined;
    await waitFor(
      async () => {
        second = await EncoderPublisher.publish(session.ingest).catch(() => undefined);
        return second !== undefined;
      },
      { what: 'the newcomer to take over' },
    );
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    await second?.leave();
  });
});
