import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../test/system/harness/api-client.js';
import { Viewer } from '../fanout/viewer.js';
import { percentile } from '../percentile.js';
import { OpusPublisher } from '../signalling/opus-publisher.js';
import { within } from '../within.js';

/** The service as a tenant sees it over some seconds. */
export interface Experience {
  api: { p50: number; p95: number; p99: number; requests: number; failed: number };
  /** ms from the creation of a session until it is active; of so many. */
  active: { p50: number; max: number; sessions: number; failed: number };
  lostPackets: number;
  receivedPackets: number;
}

const requestEveryMs = 50;
const sessionEveryMs = 2_000;
const mostWaiting = 100;
/** A read, or a session that is not `active`, fails after this time. */
const deadlineMs = 60_000;

/** A tenant with a room, a publisher and a viewer, that reads its room and opens further sessions. */
export class Tenant {
  private constructor(
    private readonly api: ApiClient,
    private readonly meetingID: string,
    private readonly publisher: OpusPublisher,
    private readonly viewer: Viewer,
  ) {}

  static async open(api: ApiClient): Promise<Tenant> {
    const meetingID = await api.createRoom();
    const { publisher, sessionID } = await publish(api, meetingID);
    const { endpoint, token } = await api.openPlayback(meetingID, sessionID, ['audio']);
    const viewer = new Viewer(endpoint, token, 'tenant', { kinds: ['audio'] });
    await viewer.connect();
    return new Tenant(api, meetingID, publisher, viewer);
  }

  async measure(seconds: number): Promise<Experience> {
    const end = performance.now() + seconds * 1000;
    this.viewer.reset();
    const [api, active] = await Promise.all([this.readRoom(end), this.openSessions(end)]);
    const { received, expected } = this.viewer.counts();
    return { api, active, lostPackets: expected - received, receivedPackets: received };
  }

  async close(): Promise<void> {
    await this.viewer.close();
    await this.publisher.close();
  }

  /** At a steady rate, whether the service answers or not. */
  private async readRoom(end: number): Promise<Experience['api']> {
    const times: number[] = [];
    let failed = 0;
    const waiting = new Set<Promise<void>>();
    const readOnce = async (): Promise<void> => {
      const started = performance.now();
      const reading = this.api.call('GET', `/v1/rooms?meetingID=${this.meetingID}`);
      const status = await within(deadlineMs, 'a read', reading).then(
        answer => answer.status,
        () => 0,
      );
      times.push(performance.now() - started);
      if (status !== 200) failed++;
    };
    while (performance.now() < end) {
      if (waiting.size < mostWaiting) {
        const reading = readOnce().finally(() => waiting.delete(reading));
        waiting.add(reading);
      }
      await pause(requestEveryMs);
    }
    await Promise.all(waiting);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map(share => percentile(times, share)) as [number, number, number];
    return { p50, p95, p99, requests: times.length, failed };
  }

  private async openSessions(end: number): Promise<Experience['active']> {
    const times: number[] = [];
    let failed = 0;
    while (performance.now() < end) {
      const next = performance.now() + sessionEveryMs;
      try {
        const started = performance.now();
        const { publisher } = await publish(this.api, this.meetingID);
        times.push(performance.now() - started);
        await publisher.close();
      } catch {
        failed++;
      }
      await pause(Math.max(0, next - performance.now()));
    }
    return { p50: percentile(times, 0.5), max: percentile(times, 1), sessions: times.length, failed };
  }
}

/** Resolves once the session is active. */
export async function publish(
  api: ApiClient,
  meetingID: string,
): Promise<{ publisher: OpusPublisher; sessionID: string }> {
  const { sessionID, ingest } = await within(deadlineMs, 'a session to be made', api.openSession(meetingID, ['audio']));
  const publisher = new OpusPublisher(ingest.url, ingest.token);
  try {
    await within(deadlineMs, 'a publisher to be answered', publisher.connect());
    await within(deadlineMs, 'a session to be active', api.sessionBecomes(meetingID, sessionID, 'active', 20_000));
    return { publisher, sessionID };
  } catch (error) {
    await publisher.close();
    throw error;
  }
}
