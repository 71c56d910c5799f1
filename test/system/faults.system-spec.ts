import { EncoderPublisher, waitFor } from '@rtms/testing';
import { HlsPlayer } from './harness/hls-player.js';
import { descendants } from './harness/processes.js';
import { startStack, type Stack } from './harness/stack.js';

/** A room with a publisher on it and a broadcast of it. */
interface Live {
  meetingID: string;
  sessionID: string;
  broadcastID: string;
  ingest: { url: string; token: string };
  encoder: EncoderPublisher;
}

describe('when something dies in the middle of the main job', () => {
  let stack: Stack;
  let encoder: EncoderPublisher | undefined;

  /** One for all: whatever a test ends, it starts again. */
  beforeAll(async () => {
    stack = await startStack({ env: { GRACE_SECONDS: '20' } });
  });

  afterEach(async () => {
    await encoder?.vanish();
    // The next test must not take it for its own.
    await waitFor(() => encodersOf(stack.transcoder.pid).length === 0, { what: 'no encoder' });
  });

  afterAll(async () => {
    await stack?.close();
  });

  async function goLive(): Promise<Live> {
    const { api } = stack;
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    encoder = await EncoderPublisher.publish(ingest);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    return { meetingID, sessionID, broadcastID, ingest, encoder };
  }

  async function keepsGrowing({ meetingID, broadcastID }: Live): Promise<void> {
    const player = await HlsPlayer.open((await stack.api.broadcast(meetingID, broadcastID)).playbackUrl);
    const before = await player.newestSegment();
    await waitFor(async () => (await player.newestSegment()) > before, { timeoutMs: 40_000, what: 'a newer segment' });
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

  it('reports a dead media worker within 2 s, replaces it, and takes the publisher back', async () => {
    const live = await goLive();
    kill(childrenOf(stack.sfu.pid, 'mediasoup-worker'));
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'pending', 2_000);
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'interrupted', 15_000);
    await live.encoder.vanish();
    const again = await EncoderPublisher.publish(live.ingest);
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'active');
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'active');
    await keepsGrowing(live);
    await again.leave();
  });

  it('replaces a dead encoder, and the broadcast goes on after a discontinuity', async () => {
    const live = await goLive();
    const dead = kill(encodersOf(stack.transcoder.pid));
    await waitFor(() => encodersOf(stack.transcoder.pid).some(pid => pid !== dead), {
      timeoutMs: 20_000,
      what: 'a new encoder',
    });
    await keepsGrowing(live);
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'active');
    await live.encoder.leave();
  });

  it('goes on while the gateway is dead, and the gateway catches up with what it missed', async () => {
    const live = await goLive();
    await stack.gateway.stop('SIGKILL');
    await live.encoder.leave();
    await stack.gateway.start();
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'ended');
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'ended');
  });

  it('goes on while the bus is away, and nothing is lost of what happened meanwhile', async () => {
    const live = await goLive();
    await stack.nats.kill();
    await live.encoder.leave();
    await stack.nats.restart();
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'ended', 30_000);
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'ended', 30_000);
  });

  it('says pending, interrupted and then ended when the whole SFU dies and the publisher stays away', async () => {
    const live = await goLive();
    await stack.sfu.stop('SIGKILL');
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'pending', 30_000);
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'interrupted', 30_000);
    await live.encoder.vanish();
    await stack.sfu.start();
    const again = await EncoderPublisher.publish(live.ingest).catch(() => undefined);
    await again?.vanish();
    await stack.api.sessionBecomes(live.meetingID, live.sessionID, 'ended', 60_000);
    await stack.api.broadcastBecomes(live.meetingID, live.broadcastID, 'ended', 30_000);
  }, 150_000);

  it('fails or moves a broadcast whose transcoder died, and never leaves it active', async () => {
    const live = await goLive();
    await stack.transcoder.stop('SIGKILL');
    await waitFor(async () => (await stack.api.broadcast(live.meetingID, live.broadcastID)).state !== 'active', {
      what: 'the broadcast not to be active any more',
    });
    expect((await stack.api.session(live.meetingID, live.sessionID)).state).toBe('active');
    await stack.transcoder.start();
    await live.encoder.leave();
  });
});
