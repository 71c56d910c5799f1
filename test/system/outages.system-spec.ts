/** @weight 0.3 */
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { HlsPlayer } from './harness/hls-player.js';
import { startStack, type Stack } from './harness/stack.js';

/** Ten segments of two seconds: the outage lasts as long as they take. */
const segmentsOfOutage = 10;

const outages: [string, (stack: Stack) => Promise<void>, (stack: Stack) => Promise<void>][] = [
  ['the gateway', async stack => void (await stack.gateway.stop('SIGKILL')), stack => stack.gateway.start()],
  ['the bus', stack => stack.nats.kill(), stack => stack.nats.restart()],
  ['the database', stack => stack.postgres.halt(), stack => stack.postgres.restart()],
];

describe('an outage of 20 s', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ dedicatedPostgres: true });
  });

  afterAll(async () => {
    await stack?.close();
  });

  async function publish(): Promise<{ meetingID: string; sessionID: string; encoder: EncoderPublisher }> {
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish(ingest);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    return { meetingID, sessionID, encoder };
  }

  it.each(outages)(
    'of %s stops no media, loses no fact and leaves nothing active that is not',
    async (_name, begin, end) => {
      const { api } = stack;
      const staying = await publish();
      const leaving = await publish();
      const { broadcastID } = await api.openBroadcast(staying.meetingID, staying.sessionID);
      const { playbackUrl } = await api.broadcastBecomes(staying.meetingID, broadcastID, 'active');
      const player = await HlsPlayer.open(playbackUrl);

      await begin(stack);
      await leaving.encoder.leave();
      const atBeginning = await player.newestSegment();
      await waitFor(async () => (await player.newestSegment()) >= atBeginning + segmentsOfOutage, {
        timeoutMs: 60_000,
        what: `${segmentsOfOutage} more segments`,
      });
      await end(stack);
      await stack.gateway.waitUntilReady();

      const ended = await api.sessionBecomes(leaving.meetingID, leaving.sessionID, 'ended', 60_000);
      expect(ended.endReason).toBe('publisher_left');
      expect((await api.session(staying.meetingID, staying.sessionID)).state).toBe('active');
      expect((await api.broadcast(staying.meetingID, broadcastID)).state).toBe('active');
      expect(await player.playlist()).not.toContain('#EXT-X-DISCONTINUITY\n');
      await staying.encoder.leave();
      await api.broadcastBecomes(staying.meetingID, broadcastID, 'ended');
    },
    240_000,
  );
});
