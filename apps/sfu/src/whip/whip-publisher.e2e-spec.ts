import { waitFor } from '@rtms/testing';
import request from 'supertest';
import { defaultRoomTimings } from '../rooms/room-context.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import { offeredUfrag } from '../sdp/testing/build-offer.js';
import { pathOf, trickle, TestPublishing } from './testing/test-publishing.js';

let publishing: TestPublishing;
beforeEach(async () => {
  publishing = await TestPublishing.open();
});
afterEach(() => publishing.close());

/** Publishers are given up as in service. */
async function openImpatient(): Promise<void> {
  await publishing.close();
  publishing = await TestPublishing.open(defaultRoomTimings);
}

describe('a second publisher', () => {
  it('stays out while the first one is live, also when both come at once', async () => {
    const [one, two] = await Promise.all([publishing.post(), publishing.post()]);
    expect([one.status, two.status].sort()).toEqual([201, 409]);
    expect(publishing.node.engine.publishers).toHaveLength(1);
    const refused = one.status === 409 ? one : two;
    expect(refused.body).toMatchObject({ code: 'CONFLICT', reason: 'already_publishing' });
    expect(refused.headers['retry-after']).toBe('2');
  });

  it('takes over once the first one has lost ICE', async () => {
    const first = await publishing.post().expect(201);
    publishing.connectPublisher();
    await waitFor(() => publishing.plane.factTypesOf('ext_1').length === 1);
    publishing.node.engine.publishers[0]?.peerVanishes();
    await publishing.post().expect(201);
    publishing.connectPublisher();
    await waitFor(() => publishing.plane.factTypesOf('ext_1').length === 3);
    expect(publishing.plane.factTypesOf('ext_1')).toEqual([
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

  it('takes over once the first one was silent for two seconds', async () => {
    await openImpatient();
    // Before the first came, from which its silence counts: a slow machine makes it longer, never shorter.
    const before = Date.now();
    await publishing.post().expect(201);
    publishing.node.engine.publishers[0]?.peerConnects();
    for (const track of publishing.node.engine.publishers[0]?.tracks ?? []) track.receiveRtp(Date.now() - 2500);
    await waitFor(async () => (await publishing.post()).status === 201, { what: 'the first publisher to be given up' });
    expect(Date.now() - before).toBeGreaterThanOrEqual(defaultRoomTimings.takeoverAfter);
    expect(publishing.node.engine.publishers).toHaveLength(1);
  });
});

describe('a publisher that goes', () => {
  it('is reported lost with ICE, and live again when it comes back', async () => {
    await publishing.post().expect(201);
    publishing.connectPublisher();
    publishing.node.engine.publishers[0]?.peerVanishes();
    publishing.node.engine.publishers[0]?.peerConnects();
    await waitFor(() => publishing.plane.factTypesOf('ext_1').length === 3);
    expect(publishing.plane.factsOf('ext_1')[1]).toEqual({
      type: 'external_session.interrupted',
      reason: 'publisher_lost',
    });
    expect(publishing.plane.factTypesOf('ext_1')[2]).toBe('external_session.active');
  });

  it('is reported lost when its RTP stops although ICE stands', async () => {
    await openImpatient();
    await publishing.post().expect(201);
    publishing.connectPublisher();
    for (const track of publishing.node.engine.publishers[0]?.tracks ?? []) track.receiveRtp(Date.now() - 10_000);
    await waitFor(() => publishing.plane.factTypesOf('ext_1').includes('external_session.interrupted'));
  });

  it('may come back after its media worker died, in the same room', async () => {
    await publishing.post().expect(201);
    publishing.connectPublisher();
    await publishing.node.engine.killWorker();
    await waitFor(() => publishing.plane.factTypesOf('ext_1').length === 2);
    expect(publishing.plane.factsOf('ext_1')[1]).toEqual({
      type: 'external_session.interrupted',
      reason: 'worker_lost',
    });
    await publishing.post().expect(201);
    publishing.connectPublisher();
    await waitFor(() => publishing.plane.factTypesOf('ext_1').length === 3);
    expect(publishing.node.app.get(RoomRegistry).list()).toHaveLength(1);
  });

  it('reports what is wrong with the streams, of all tracks together', async () => {
    await publishing.post().expect(201);
    const [audio, video] = publishing.node.engine.publishers[0]?.tracks ?? [];
    audio?.reportHealth(['silence']);
    video?.reportHealth(['b_frames', 'long_keyframe_interval'], 8);
    await waitFor(() => publishing.plane.factsOf('ext_1').length === 2);
    expect(publishing.plane.factsOf('ext_1').at(-1)).toEqual({
      type: 'external_session.health',
      health: ['silence', 'b_frames', 'long_keyframe_interval'],
      keyframeIntervalSeconds: 8,
    });
  });

  it('takes back what was wrong with the streams of a publisher once another one comes', async () => {
    await publishing.post().expect(201);
    publishing.node.engine.publishers[0]?.tracks[0]?.reportHealth(['silence']);
    await publishing.node.engine.killWorker();
    await publishing.post().expect(201);
    publishing.connectPublisher();
    await waitFor(() => publishing.plane.factTypesOf('ext_1').at(-1) === 'external_session.active');
    const health = publishing.plane.factsOf('ext_1').filter(({ type }) => type === 'external_session.health');
    expect(health).toMatchObject([{ health: ['silence'] }, { health: [] }]);
  });
});
