/** @weight 0.2 for 60 s */
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { media, receives, TestBrowser } from './harness/browser.js';
import { RoomMember } from './harness/room-member.js';
import { sharedStack, type SharedStack } from './harness/shared-stack.js';

describe('members of a room in browsers', () => {
  let stack: SharedStack;
  let browser: TestBrowser;
  let viewers: TestBrowser;
  let members: RoomMember[] = [];

  beforeAll(async () => {
    stack = await sharedStack();
    browser = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
    viewers = await TestBrowser.open();
  });

  afterAll(async () => {
    await browser?.close();
    await viewers?.close();
  });

  afterEach(async () => {
    await Promise.all(members.map(member => member.close()));
    members = [];
  });

  async function join(meetingID: string, userName: string, role?: string): Promise<RoomMember> {
    const member = await RoomMember.join(browser, await stack.api.join(meetingID, userName, role));
    members.push(member);
    return member;
  }

  async function openRoom(): Promise<{ meetingID: string; ada: RoomMember; grace: RoomMember }> {
    const meetingID = await stack.api.createRoom();
    const ada = await join(meetingID, 'Ada', 'host');
    const grace = await join(meetingID, 'Grace');
    await ada.knows(({ state }) => state.roster.some(entry => entry.userName === 'Grace'), 'Grace in the roster');
    return { meetingID, ada, grace };
  }

  it('see and hear each other', async () => {
    const { ada, grace } = await openRoom();
    for (const member of [ada, grace]) {
      await member.publishCamera();
      await member.publishMicrophone();
    }
    for (const [one, other] of [
      [ada, grace],
      [grace, ada],
    ] as const) {
      const camera = await one.watch(other.participantID, 'camera');
      const microphone = await one.watch(other.participantID, 'microphone');
      expect((await one.sees(camera)).frames).toBeGreaterThan(0);
      expect((await one.receives({ trackID: camera, height: 90 })).width).toBe(160);
      expect((await one.hears(microphone)).energy).toBeGreaterThan(0);
    }
  });

  it('chat with everybody and with one, and vote in a poll', async () => {
    const { meetingID, ada, grace } = await openRoom();
    const alan = await join(meetingID, 'Alan');
    await ada.call('sendChat', 'hello');
    await grace.call('sendChat', 'for Ada alone', { to: ada.participantID });
    await alan.call('sendChat', 'goodbye');
    for (const [member, messages] of [
      [ada, ['hello', 'for Ada alone', 'goodbye']],
      [grace, ['hello', 'for Ada alone', 'goodbye']],
      [alan, ['hello', 'goodbye']],
    ] as const) {
      const { state } = await member.knows(
        looked => looked.state.chat.length >= messages.length,
        `${messages.length} messages`,
      );
      expect(state.chat.map(({ message }) => message)).toEqual(messages);
    }
    const pollID = await ada.call<string>('createPoll', 'Tea?', ['yes', 'no']);
    for (const [member, choice] of [
      [grace, 0],
      [alan, 1],
      [ada, 0],
    ] as const) {
      await member.knows(({ state }) => state.polls.some(poll => poll.pollID === pollID), 'the poll');
      await member.call('vote', pollID, choice);
    }
    expect(await grace.call('vote', pollID, 1)).toMatchObject({ code: 'CONFLICT', reason: 'already_voted' });
    expect(await ada.call('endPoll', pollID)).toEqual([2, 1]);
    const { state } = await alan.knows(looked => looked.state.polls[0]?.state === 'ended', 'the end of the poll');
    expect(state.polls[0]?.results).toEqual([2, 1]);
  });

  it('share a screen, and show a camera in the chosen size', async () => {
    const { ada, grace } = await openRoom();
    await ada.publishScreen(1280, 720);
    await ada.publishCamera({ width: 1280, height: 720, simulcast: true });
    const screen = await grace.watch(ada.participantID, 'screen');
    await grace.receives({ trackID: screen, frames: 5, height: 720 });
    const camera = await grace.watch(ada.participantID, 'camera');
    await grace.setLayers(camera, 0);
    await grace.receives({ trackID: camera, frames: 5, height: 180 });
    await grace.setLayers(camera, 1);
    expect((await grace.receives({ trackID: camera, height: 360 })).width).toBe(640);
  });

  it('learn who speaks', async () => {
    const { ada, grace } = await openRoom();
    await grace.speak();
    await ada.knows(({ speaker }) => speaker === grace.participantID, 'Grace to speak');
    await grace.fallSilent();
    await ada.knows(({ speaker }) => speaker === null, 'silence');
  });

  it('are muted and removed by the host alone', async () => {
    const { meetingID, ada, grace } = await openRoom();
    const alan = await join(meetingID, 'Alan');
    await grace.publishMicrophone();
    await alan.trackOf(grace.participantID, 'microphone');
    expect(await alan.call('muteParticipant', grace.participantID, 'microphone')).toMatchObject({ code: 'FORBIDDEN' });
    await ada.call('muteParticipant', grace.participantID, 'microphone');
    await alan.knows(
      ({ state }) => state.roster.find(entry => entry.userName === 'Grace')?.tracks[0]?.state === 'paused',
      'Grace to be muted',
    );
    await grace.call('unmute', 'microphone');
    await alan.knows(
      ({ state }) => state.roster.find(entry => entry.userName === 'Grace')?.tracks[0]?.state === 'live',
      'Grace to speak again',
    );
    await ada.call('removeParticipant', grace.participantID);
    await grace.knows(({ heard }) => heard.some(({ name }) => name === 'farewell'), 'the farewell');
    expect(grace.heard('farewell')).toEqual([{ reason: 'participant_removed' }]);
    const isGrace = ({ userName }: { userName: string }) => userName === 'Grace';
    await alan.knows(({ state }) => !state.roster.some(isGrace), 'Grace to be gone');
  });

  it('see an external session among them, and its picture stops while it is paused', async () => {
    const { meetingID, ada, grace } = await openRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish(ingest);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    const { state } = await ada.knows(
      looked => looked.state.roster.some(entry => entry.kind === 'externalSession' && entry.tracks.length === 2),
      'the external session in the roster',
    );
    const external = state.roster.find(entry => entry.kind === 'externalSession')!;
    expect(external.userName).toBe('camera');
    const camera = await ada.watch(external.participantID, 'camera');
    await ada.sees(camera);
    const path = `/v1/meetings/${meetingID}/external-sessions/${sessionID}/tracks/${camera}`;
    expect(await stack.api.call('POST', path, { action: 'pause' })).toMatchObject({ status: 200 });
    const isPaused = (track: { trackID: string; state: string }) =>
      track.trackID === camera && track.state === 'paused';
    await ada.knows(looked => looked.state.roster.some(({ tracks }) => tracks.some(isPaused)), 'the pause');
    await grace.publishCamera();
    const moving = await ada.watch(grace.participantID, 'camera');
    await ada.sees(moving);
    // Frames that came before the pause may still be decoded at first.
    const standsStill = async (): Promise<boolean> => {
      const { frames } = await ada.received(camera);
      await ada.sees(moving, 20);
      return (await ada.received(camera)).frames === frames;
    };
    await waitFor(standsStill, { what: 'the paused camera to stand still while another one moves' });
    await stack.api.call('POST', path, { action: 'resume' });
    await ada.sees(camera);
    await encoder.leave();
    await ada.knows(looked => !looked.state.roster.some(entry => entry.kind === 'externalSession'), 'its end');
  });

  it('see the faults of an external session’s encoder, and their end', async () => {
    const { meetingID, ada } = await openRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish({ ...ingest, profile: 'high', faults: { bFrames: 2 } });
    const healthIs = async (isFaulty: boolean, what: string): Promise<void> => {
      await ada.knows(
        ({ state }) =>
          state.roster.some(
            ({ kind, health }) => kind === 'externalSession' && health.includes('b_frames') === isFaulty,
          ),
        what,
      );
      await waitFor(
        async () => (await stack.api.session(meetingID, sessionID)).health?.includes('b_frames') === isFaulty,
        { what: `${what} in the API` },
      );
    };
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    await healthIs(true, 'B-frames');
    await encoder.change({ faults: {} });
    await healthIs(false, 'the end of B-frames');
    await encoder.leave();
  });

  it('and viewers see who publishes as an external session with the SDK', async () => {
    const { meetingID, ada } = await openRoom();
    const { sessionID, participantID, ingest } = await stack.api.openPublisher(meetingID);
    const booth = await RoomMember.join(browser, ingest.join!);
    members.push(booth);
    expect(booth.participantID).toBe(participantID);
    await booth.publishCamera();
    await booth.publishMicrophone();
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    const camera = await ada.watch(participantID, 'camera');
    await ada.sees(camera);
    await ada.receives({ trackID: camera, height: 90 });
    const { endpoint, token } = await stack.api.openPlayback(meetingID, sessionID);
    const viewer = await viewers.openPage();
    await media(viewer, 'watchWithWhipWhep', { url: endpoint, token });
    await receives(viewer, { frames: 10 });
    await viewer.close();
  });

  it('reconnect by themselves after a page was offline', async () => {
    const { ada, grace } = await openRoom();
    const network = await grace.page.context().newCDPSession(grace.page);
    const isOffline = (offline: boolean) =>
      network.send('Network.emulateNetworkConditions', {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await isOffline(true);
    await grace.knows(({ connectionState }) => connectionState === 'reconnecting', 'the loss of the connection');
    await ada.call('sendChat', 'one');
    await ada.call('sendChat', 'two');
    const sent = grace.call('sendChat', 'three');
    await isOffline(false);
    await sent;
    const { state } = await grace.knows(looked => looked.state.chat.length >= 3, 'all messages');
    expect(state.chat.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
    expect(grace.heard('chat.message')).toHaveLength(3);
  });
});
