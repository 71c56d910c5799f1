import type { ManualClock } from '@rtms/testing';
import request from 'supertest';
import { RoomRegistry } from '../../rooms/room-registry.js';
import { offeredUfrag } from '../sdp/testing/build-offer.js';
import { pathOf, TestPublishing, trickle } from './testing/test-publishing.js';

describe('WHIP', () => {
  let publishing: TestPublishing;
  beforeEach(async () => {
    publishing = await TestPublishing.open();
  });
  afterEach(() => publishing.close());

  describe('a second publisher', () => {
    it('is refused while the first one is live, also when both connect at once', async () => {
      const [one, two] = await Promise.all([publishing.post(), publishing.post()]);
      expect([one.status, two.status].sort()).toEqual([201, 409]);
      expect(publishing.node.engine.publishers).toHaveLength(1);
      const refused = one.status === 409 ? one : two;
      expect(refused.body).toMatchObject({ code: 'CONFLICT', reason: 'already_publishing' });
      expect(refused.headers['retry-after']).toBe('2');
    });

    it('takes over once the first one has lost ICE', async () => {
      const first = await publishing.post().expect(201);
      await publishing.connectPublisher();
      publishing.node.engine.publishers[0]?.peerVanishes();
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      expect(await publishing.told()).toEqual([
        'external_session.active',
        'external_session.interrupted',
        'external_session.active',
      ]);
      expect(publishing.node.engine.publishers).toHaveLength(1);
      await publishing.patch(pathOf(first.headers['location']), trickle(offeredUfrag)).expect(404);
      await request(publishing.node.server)
        .delete(pathOf(first.headers['location']))
        .set('Authorization', `Bearer ${publishing.token}`)
        .expect(200);
      expect(publishing.node.engine.publishers).toHaveLength(1);
    });

    it('takes over exactly when the first one has been silent for two seconds', async () => {
      await publishing.post().expect(201);
      await publishing.plane.pass(500);
      await publishing.connectPublisher();
      await publishing.plane.pass(1_999);
      await publishing.post().expect(409);
      await publishing.plane.pass(1);
      await publishing.post().expect(201);
      expect(publishing.node.engine.publishers).toHaveLength(1);
    });

    it('is refused for two seconds while the first one has not sent anything', async () => {
      await publishing.post().expect(201);
      await publishing.plane.pass(1_999);
      await publishing.post().expect(409);
      await publishing.plane.pass(1);
      await publishing.post().expect(201);
    });
  });

  describe('a publisher that is lost', () => {
    it('is reported lost with ICE, and live again when it reconnects', async () => {
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      publishing.node.engine.publishers[0]?.peerVanishes();
      publishing.node.engine.publishers[0]?.peerConnects();
      await publishing.plane.quiet();
      const [active, ...others] = publishing.plane.factsOf('ext_1');
      expect(others).toEqual([{ type: 'external_session.interrupted', reason: 'publisher_lost' }, active]);
    });

    it('is reported lost after exactly three seconds of silence although ICE is connected', async () => {
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      await publishing.plane.pass(2_999);
      expect(await publishing.told()).toEqual(['external_session.active']);
      await publishing.plane.pass(1);
      expect(await publishing.told()).toEqual(['external_session.active', 'external_session.interrupted']);
    });

    it('stays live for three seconds after each packet', async () => {
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      for (const _time of [1, 2, 3]) {
        await publishing.plane.pass(2_900);
        publishing.receiveMedia();
      }
      expect(await publishing.told()).toEqual(['external_session.active']);
    });

    it('may reconnect to the same room after its media worker died', async () => {
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      await publishing.node.engine.killWorker();
      await publishing.plane.quiet();
      expect(publishing.plane.factsOf('ext_1')[1]).toEqual({
        type: 'external_session.interrupted',
        reason: 'worker_lost',
      });
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      expect(await publishing.told()).toEqual([
        'external_session.active',
        'external_session.interrupted',
        'external_session.active',
      ]);
      expect(publishing.node.app.get(RoomRegistry).list()).toHaveLength(1);
    });

    it('reports the faults of all tracks of the session together', async () => {
      await publishing.post().expect(201);
      const [audio, video] = publishing.node.engine.publishers[0]?.tracks ?? [];
      audio?.reportHealth(['silence']);
      video?.reportHealth(['b_frames', 'long_keyframe_interval'], 8);
      await publishing.plane.quiet();
      expect(publishing.plane.factsOf('ext_1')).toEqual([
        { type: 'external_session.health', health: ['silence'] },
        {
          type: 'external_session.health',
          health: ['silence', 'b_frames', 'long_keyframe_interval'],
          keyframeIntervalSeconds: 8,
        },
      ]);
    });

    describe('with pictures above the account’s limit', () => {
      const healthTold = () =>
        publishing.plane.factsOf('ext_2').filter(({ type }) => type === 'external_session.health');
      const pictureOf = () =>
        publishing.node.engine.publishers.at(-1)?.tracks.find(({ kind }) => kind === 'video')?.picture;
      const begin = async (picture: { width: number; height: number; frameRate: number }) => {
        const maxSource = { pixels: 1920 * 1080, pixelsPerSecond: 1920 * 1080 * 60 };
        await publishing.node.openSession('ext_2', ['audio', 'video'], 'room_1', maxSource);
        const token = await publishing.plane.ingestToken('ext_2');
        await publishing.post(undefined, token, '/whip/ext_2').expect(201);
        Object.assign(pictureOf() ?? {}, picture);
        await publishing.connectPublisher();
      };
      /** The publisher goes on sending. */
      const pass = async (seconds: number) => {
        for (let left = seconds; left > 0; left -= 1) {
          publishing.receiveMedia();
          await publishing.plane.pass(1_000);
        }
      };

      it.each([
        ['a size above them', { width: 1922, height: 1080, frameRate: 5 }],
        ['too many a second', { width: 1920, height: 1080, frameRate: 90 }],
      ])('reports %s within 4 s, and clears it 20 s after the encoder is corrected', async (_case, picture) => {
        await begin(picture);
        await pass(4);
        expect(healthTold()).toEqual([{ type: 'external_session.health', health: ['picture_too_large'] }]);
        Object.assign(pictureOf() ?? {}, { width: 1280, height: 720, frameRate: 30 });
        await pass(20);
        expect(healthTold().slice(1)).toEqual([{ type: 'external_session.health', health: [] }]);
      });

      it('keeps the health codes of its tracks', async () => {
        await begin({ width: 6144, height: 6144, frameRate: 2 });
        publishing.node.engine.publishers.at(-1)?.tracks[0]?.reportHealth(['silence']);
        await pass(4);
        expect(healthTold().at(-1)).toEqual({
          type: 'external_session.health',
          health: ['silence', 'picture_too_large'],
        });
      });

      it('reports nothing for a picture at the limit', async () => {
        await begin({ width: 1920, height: 1080, frameRate: 61 });
        await pass(70);
        expect(healthTold()).toEqual([]);
      });
    });

    it('clears the health codes of a publisher once another one connects', async () => {
      await publishing.post().expect(201);
      publishing.node.engine.publishers[0]?.tracks[0]?.reportHealth(['silence']);
      await publishing.node.engine.killWorker();
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      expect(publishing.plane.factsOf('ext_1')).toMatchObject([
        { type: 'external_session.health', health: ['silence'] },
        { type: 'external_session.health', health: [] },
        { type: 'external_session.active' },
      ]);
    });
  });

  describe('a node whose event loop was blocked', () => {
    const unblock = async (): Promise<void> => {
      (publishing.plane.clock as ManualClock).stall(38_000);
      await publishing.plane.pass(0);
    };

    it('does not report a publisher lost before it has read the counters', async () => {
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      await unblock();
      await publishing.plane.pass(500);
      publishing.receiveMedia();
      await publishing.plane.pass(2_900);
      expect(await publishing.told()).toEqual(['external_session.active']);
    });

    it('reports a publisher that stays silent as lost', async () => {
      await publishing.post().expect(201);
      await publishing.connectPublisher();
      await unblock();
      await publishing.plane.pass(3_500);
      expect(await publishing.told()).toEqual(['external_session.active', 'external_session.interrupted']);
    });
  });
});
