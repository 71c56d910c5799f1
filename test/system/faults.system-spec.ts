/** @weight 0.25 for 95 s */
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { TestBrowser } from './harness/browser.js';
import { HlsPlayer } from './harness/hls-player.js';
import { descendants } from './harness/processes.js';
import { recordedOnDisk } from './harness/recorded.js';
import { RoomMember } from './harness/room-member.js';
import { startStack, type Stack } from './harness/stack.js';

/** A room with a publisher and a broadcast of it. */
interface Live {
  meetingID: string;
  sessionID: string;
  broadcastID: string;
  ingest: { url: string; token: string };
  encoder: EncoderPublisher;
}

describe('when a process dies in the middle of the main job', () => {
  let stack: Stack;
  let encoder: EncoderPublisher | undefined;
  const rooms: string[] = [];

  /** One stack for all tests: a test restarts each process that it ends. */
  beforeAll(async () => {
    // The reconciler runs often, so that it also meets jobs that are about to resume. No test is about draining.
    const often = { SEGMENT_SECONDS: '1', RECONCILE_SECONDS: '1', DRAIN_SECONDS: '1' };
    // A busy machine needs a minute until a publisher or a transcoder has returned.
    stack = await startStack({ env: { GRACE_SECONDS: '120', ...often } });
  });

  afterEach(async () => {
    await encoder?.vanish();
    // The next test must not mistake an encoder, also one of a slate, for its own.
    for (const meetingID of rooms.splice(0))
      await stack.api.expect(200, 'POST', '/v1/rooms', { action: 'end', meetingID });
    await waitFor(() => encodersOf(stack.transcoder.pid).length < 1, { what: 'no encoder' });
  });

  afterAll(async () => {
    await stack?.close();
  });

  async function goLive(): Promise<Live> {
    const { api } = stack;
    const meetingID = await api.createRoom();
    rooms.push(meetingID);
    const { sessionID, ingest } = await api.openSession(meetingID);
    encoder = await EncoderPublisher.publish(ingest);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    return { meetingID, sessionID, broadcastID, ingest, encoder };
  }

  async function keepsGrowing({ meetingID, broadcastID }: Live): Promise<void> {
    const { playbackUrl } = await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    await (await HlsPlayer.open(playbackUrl)).grows();
  }

  function childrenOf(pid: number, name: string): number[] {
    return descendants(pid).flatMap(each => (each.command.includes(name) ? [each.pid] : []));
  }
  const encodersOf = (pid: number) => childrenOf(pid, 'ffmpeg');

  function kill([pid]: number[]): number {
    if (pid === undefined) throw new Error('it does not run');
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  it('replaces a dead media worker; members reconnect by themselves, and the publisher may return', async () => {
    const browser = await TestBrowser.open({ entryPoint: 'test/browser/room-page.ts' });
    try {
      const { api } = stack;
      const live = await goLive();
      const join = async (name: string) => RoomMember.join(browser, await api.join(live.meetingID, name));
      const [ada, grace] = [await join('Ada'), await join('Grace')];
      const former = await ada.publishCamera();
      await grace.sees(await grace.watch(ada.participantID, 'camera'));

      kill(childrenOf(stack.sfu.pid, 'mediasoup-worker'));
      await api.sessionBecomes(live.meetingID, live.sessionID, 'pending');
      await api.broadcastBecomes(live.meetingID, live.broadcastID, 'interrupted');
      await live.encoder.vanish();
      encoder = await EncoderPublisher.publish(live.ingest);
      await api.sessionBecomes(live.meetingID, live.sessionID, 'active');

      await grace.knows(({ state, watching }) => {
        const tracks = state.roster.find(entry => entry.participantID === ada.participantID)?.tracks ?? [];
        return tracks.length > 0 && tracks.every(({ trackID }) => trackID !== former) && !watching.includes(former);
      }, 'a new track of the camera in the place of the former one');
      await grace.sees(await grace.watch(ada.participantID, 'camera'));
      await api.broadcastBecomes(live.meetingID, live.broadcastID, 'active');
      await keepsGrowing(live);
    } finally {
      await browser.close();
    }
  });

  it('replaces a dead encoder, and the broadcast continues after a discontinuity', async () => {
    const live = await goLive();
    const dead = kill(encodersOf(stack.transcoder.pid));
    await waitFor(() => encodersOf(stack.transcoder.pid).some(pid => pid !== dead), { what: 'a new encoder' });
    const { playbackUrl } = await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'active');
    await (await HlsPlayer.open(playbackUrl)).lists('#EXT-X-DISCONTINUITY\n');
    await keepsGrowing(live);
  });

  it('reports no broadcast of a dead transcoder as active, keeps its recorded media, and broadcasts the room again', async () => {
    const { api } = stack;
    const live = await goLive();
    const { broadcast: composed } = await api.expect(201, 'POST', `/v1/meetings/${live.meetingID}/broadcasts`, {
      layout: 'grid',
    });
    await api.broadcastBecomes(live.meetingID, composed.broadcastID, 'active');
    const { recordingID } = await api.startRecording(live.meetingID, { sourceSessionID: live.sessionID });
    const written = await recordedOnDisk(stack.mediaDir, recordingID, 3);
    await stack.transcoder.stop('SIGKILL');
    const refused = await api.call('POST', `/v1/meetings/${live.meetingID}/broadcasts`, {
      sourceSessionID: live.sessionID,
    });
    expect([refused.status, refused.body.reason]).toEqual([503, 'controller_unavailable']);
    for (const { broadcastID } of [live, composed]) {
      const isInactive = async () => (await api.broadcast(live.meetingID, broadcastID)).state !== 'active';
      await waitFor(isInactive, { everyMs: 100, what: 'the broadcast not to be active any more' });
    }
    await api.sessionBecomes(live.meetingID, live.sessionID, 'active');

    await stack.transcoder.start();
    const first = await api.recordingBecomes(recordingID, 'ready');
    expect(first.endReason).toBe('node_lost');
    // A fragment lasts a second; the first one may be shorter.
    expect(first.durationSeconds).toBeGreaterThan(written - 1);
    const second = await api.recordingAfter(live.meetingID, recordingID);
    await recordedOnDisk(stack.mediaDir, second.recordingID, 1);
    await api.broadcastBecomes(live.meetingID, composed.broadcastID, 'active');
    await keepsGrowing({ ...live, broadcastID: composed.broadcastID });
    await live.encoder.leave();
    expect(await api.recordingBecomes(second.recordingID, 'ready')).toMatchObject({ endReason: 'source_ended' });
  });

  it('refuses broadcasts while no transcoder runs, and accepts them when one returns', async () => {
    const { meetingID, sessionID } = await goLive();
    const start = () => stack.api.call('POST', `/v1/meetings/${meetingID}/broadcasts`, { sourceSessionID: sessionID });
    await stack.transcoder.stop('SIGTERM');
    const { status, body } = await start();
    expect([status, body.code, body.reason]).toEqual([503, 'SERVICE_UNAVAILABLE', 'controller_unavailable']);
    await stack.transcoder.start();
    await waitFor(async () => (await start()).status !== 503, { everyMs: 100, what: 'a transcoder to be known' });
    expect((await start()).status).toBe(201);
  });

  it('ends a session when its SFU node dies and the publisher stays away', async () => {
    await stack.gateway.stop();
    stack.gateway.configure({ GRACE_SECONDS: '20' });
    await stack.gateway.start();
    const live = await goLive();
    await stack.sfu.stop('SIGKILL');
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'pending');
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'interrupted');
    await live.encoder.vanish();
    await stack.sfu.start();
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'ended');
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'ended');
  });
});
