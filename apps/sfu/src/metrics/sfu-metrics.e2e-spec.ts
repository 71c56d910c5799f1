import { sfuCommands, viewerFaults } from '@rtms/contracts';
import request from 'supertest';
import { oddPaths, sharedLabels } from '../../../../test/metrics/closed-labels.js';
import { exposedMetrics, readSamples, unexpectedValues } from '../../../../test/metrics/exposition.js';
import { describedMetrics } from '../../../../test/metrics/metrics-page.js';
import type { EngineStatus } from '../media/media-engine.js';
import { clientRoles, connectionOutcomes, directions, mediaKinds, StreamMeter } from '../media/media-statistics.js';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import { chromiumPublishes, chromiumWatches } from '../signalling/sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';

describe('the SFU', () => {
  /** The test process replaces the workers' processes, so that there is something to measure. */
  class MeasurableEngine extends MemoryEngine {
    override status(): EngineStatus {
      const status = super.status();
      return { ...status, workers: status.workers.map(worker => ({ ...worker, pid: process.pid })) };
    }
  }

  let plane: TestPlane;
  let node: TestNode<MeasurableEngine>;

  beforeAll(async () => {
    plane = await TestPlane.open();
    node = await TestNode.openWith(
      plane,
      new MeasurableEngine({ clock: plane.clock, workers: 2, consumersPerWorker: 4 }),
    );
    for (const room of ['room_1', 'room_2']) await work(room);
    for (const path of oddPaths) {
      await request(node.server).get(path);
      await request(node.server).post(path).send('text');
    }
    await request(node.server).search('/whip/ext_1');
  });

  afterAll(() => node.close());

  function offer(path: string, token: string, sdp: string) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
    return request(node.server).post(path).set(headers).send(sdp);
  }

  /** A publisher and a viewer in a room, and a viewer of a room that no node holds. */
  async function work(room: string): Promise<void> {
    const [sessionID, playbackID] = [`ext_${room}`, `play_${room}`];
    await node.openSession(sessionID, ['audio', 'video'], room);
    await offer(`/whip/${sessionID}`, await plane.ingestToken(sessionID, 300, room), chromiumPublishes()).expect(201);
    const publisher = node.engine.publishers.at(-1);
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
    const open = {
      meetingID: room,
      sessionID,
      playbackID,
      tracks: ['audio', 'video'],
      payloadMatching: 'fixed',
    } as const;
    await plane.bus.request(sfuCommands.openPlayback.forNode('sfu-1'), { ...open, tracks: [...open.tracks] });
    await offer(`/whep/${playbackID}`, await plane.playbackToken(playbackID, 300, room), chromiumWatches()).expect(201);
    const stranger = await plane.ingestToken('ext_nowhere', 300, `nowhere_${room}`);
    await offer('/whip/ext_nowhere', stranger, chromiumPublishes()).expect(503);
    await offer(`/whip/${sessionID}`, 'forged', chromiumPublishes()).expect(401);
  }

  async function scrape(): Promise<string> {
    return (await request(node.server).get('/metrics').expect(200)).text;
  }

  async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
    const samples = readSamples(await scrape()).filter(each => each.name === name);
    return samples.find(sample => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      ?.value;
  }

  describe('the metrics of an SFU node', () => {
    it('are exactly those in docs/metrics.md', async () => {
      const described = describedMetrics('sfu');
      expect(exposedMetrics(await scrape(), described)).toEqual(described);
    });

    it('have no label with values that clients choose', async () => {
      const text = await scrape();
      const routes = ['/whip/:resourceID', '/whip/:resourceID/:key', '/whip', '/whep', '/metrics', 'other'];
      const viewing = ['/whep/:resourceID', '/whep/:resourceID/:key', '/whep/:resourceID/:key/{*extension}'];
      const allowed = {
        ...sharedLabels,
        route: [...routes, ...viewing],
        worker: ['0', '1'],
        protocol: ['whip', 'whep'],
        'rtms_sfu_signalling_total outcome': ['ok', 'refused', 'failed'],
        'rtms_sfu_connections_total outcome': connectionOutcomes,
        client: clientRoles,
        direction: directions,
        kind: mediaKinds,
        limit: ['playback', 'account', 'connecting'],
        fault: viewerFaults,
      };
      expect(unexpectedValues(text, allowed)).toEqual([]);
      expect(text).not.toMatch(/room_|ext_|play_/);
    });

    it('count rooms, sessions, viewers, consumers and free capacity', async () => {
      expect(await valueOf('rtms_sfu_rooms')).toBe(2);
      expect(await valueOf('rtms_sfu_sessions')).toBe(2);
      expect(await valueOf('rtms_sfu_viewers')).toBe(2);
      expect(await valueOf('rtms_sfu_members')).toBe(0);
      expect(await valueOf('rtms_sfu_consumers', { worker: '1' })).toBe(2);
      expect(await valueOf('rtms_sfu_consumers_per_worker_limit')).toBe(4);
      expect(await valueOf('rtms_sfu_consumers_utilization')).toBe(0.5);
      expect(await valueOf('rtms_sfu_worker_resident_bytes', { worker: '0' })).toBeGreaterThan(2 ** 20);
    });

    it('count signalling by outcome', async () => {
      expect(await valueOf('rtms_sfu_signalling_total', { protocol: 'whip', outcome: 'ok' })).toBeGreaterThanOrEqual(2);
      expect(await valueOf('rtms_sfu_signalling_total', { protocol: 'whip', outcome: 'failed' })).toBe(2);
      expect(await valueOf('rtms_sfu_signalling_total', { protocol: 'whep', outcome: 'ok' })).toBe(2);
      const durations = { route: '/whip/:resourceID', method: 'POST', status_class: '2xx' };
      expect(await valueOf('rtms_http_request_duration_seconds_count', durations)).toBe(2);
      const asked = { command: 'room.signal', outcome: 'no_responder' };
      expect(await valueOf('rtms_bus_request_duration_seconds_count', asked)).toBe(2);
    });

    it('count media and connections, and sample loss, round trips and starts', async () => {
      const { statistics } = node.engine;
      const counters = {
        bytes: 900,
        packets: 9,
        packetsLost: 1,
        packetsRetransmitted: 2,
        nacks: 3,
        keyframeRequests: 4,
      };
      const meter = new StreamMeter(statistics, 'sent', 'video');
      meter.add([{ ...counters, ssrc: 1, lossRatio: 0.03, roundTripSeconds: 0.04 }]);
      statistics.onStarted.emit('viewer', 0.7);
      const video = { direction: 'sent', kind: 'video' };
      expect(await valueOf('rtms_sfu_media_bytes_total', video)).toBe(900);
      expect(await valueOf('rtms_sfu_media_packets_total', video)).toBe(9);
      expect(await valueOf('rtms_sfu_media_packets_total', { ...video, kind: 'audio' })).toBe(0);
      expect(await valueOf('rtms_sfu_media_packets_lost_total', video)).toBe(1);
      expect(await valueOf('rtms_sfu_media_packets_retransmitted_total', video)).toBe(2);
      expect(await valueOf('rtms_sfu_media_nacks_total', video)).toBe(3);
      expect(await valueOf('rtms_sfu_media_keyframe_requests_total', { direction: 'sent' })).toBe(4);
      const bucket = (name: string, le: string) => valueOf(`${name}_bucket`, { direction: 'sent', le });
      expect(await bucket('rtms_sfu_media_loss_ratio', '0.02')).toBe(0);
      expect(await bucket('rtms_sfu_media_loss_ratio', '0.05')).toBe(1);
      expect(await bucket('rtms_sfu_media_round_trip_seconds', '0.05')).toBe(1);
      expect(await valueOf('rtms_sfu_media_start_seconds_bucket', { client: 'viewer', le: '1' })).toBe(1);
      expect(await valueOf('rtms_sfu_connections_total', { client: 'viewer', outcome: 'ice_failed' })).toBe(0);
    });

    it('count the deaths of workers', async () => {
      expect([await valueOf('rtms_sfu_workers'), await valueOf('rtms_sfu_worker_deaths_total')]).toEqual([2, 0]);
      await node.engine.killWorker();
      expect(await valueOf('rtms_sfu_worker_deaths_total')).toBe(1);
    });

    it('report a drain, as readiness does', async () => {
      const drain = (draining: boolean) => plane.bus.request(sfuCommands.drain.forNode('sfu-1'), { draining });
      expect(await valueOf('rtms_draining')).toBe(0);
      await drain(true);
      expect(await valueOf('rtms_draining')).toBe(1);
      const { body } = await request(node.server).get('/readyz').expect(503);
      expect(body).toMatchObject({ error: 'Not ready: draining.' });
      await drain(false);
      await request(node.server).get('/readyz').expect(200);
    });
  });
});
