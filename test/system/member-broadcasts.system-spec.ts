/** @weight 0.2 for 10 s */
import type { Broadcast } from './harness/api-client.js';
import { TestBrowser } from './harness/browser.js';
import { probeRenditions } from './harness/hls-probe.js';
import { RoomMember } from './harness/room-member.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

describe('a broadcast of a member', () => {
  let stack: SharedStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await sharedStack();
    browser = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
  });

  afterAll(async () => {
    await browser?.close();
  });

  it('shows the camera, waits without one, continues with the screen, and ends when the member leaves', async () => {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const grace = await RoomMember.join(browser, await api.join(meetingID, 'Grace'));
    await grace.publishCamera();
    await grace.trackOf(grace.participantID, 'camera');
    const path = `/v1/meetings/${meetingID}/broadcasts`;
    const { status, body } = await api.call('POST', path, { sourceParticipantID: grace.participantID });
    expect([status, body.reason]).toEqual([201, undefined]);
    const { broadcastID } = body.broadcast;
    const first = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    expect(await heightsOf(first)).toEqual(first.renditions.map(({ height }) => height));

    await grace.call('unpublish', 'camera');
    await api.broadcastBecomes(meetingID, broadcastID, 'interrupted');
    await grace.publishScreen(320, 180);
    await grace.publishMicrophone();
    await api.broadcastBecomes(meetingID, broadcastID, 'active');

    await grace.call('leave');
    expect(await api.broadcastBecomes(meetingID, broadcastID, 'ended')).toMatchObject({ endReason: 'source_ended' });
    await grace.close();
  });
});

async function heightsOf({ playbackUrl }: Broadcast): Promise<number[]> {
  const { renditions, audioStartsAtSeconds } = await probeRenditions(playbackUrl);
  expect(audioStartsAtSeconds).not.toBeNaN();
  return renditions.map(({ height }) => height);
}
