/** @weight 0.3 */
import { systemClock, type Timer } from '@rtms/clock';
import { loadConfig } from '@rtms/config';
import type { EndpointTrial, MediaEndpoint, SfuDiagnosis } from '@rtms/contracts';
import { tryEndpoint } from '@rtms/node';
import { EventLog, ManualClock } from '@rtms/testing';
import ndc from 'node-datachannel';
import { MediasoupEngine } from '../media/mediasoup/mediasoup-engine.js';
import { sfuConfigSchema } from '../sfu.config.js';
import { IceServers } from '../turn/ice-servers.js';
import { DiagnosisService } from './diagnosis.service.js';

let engine: MediasoupEngine;
let clock: WatchedClock;
const opened: DiagnosisService[] = [];

beforeAll(async () => {
  engine = await MediasoupEngine.start({ workers: 2, clock: systemClock });
});

beforeEach(() => {
  clock = new WatchedClock();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map(each => each.close()));
  expect(clock.pending).toBe(0);
});

afterAll(async () => {
  await engine?.close();
  // The threads of libdatachannel would keep this process alive.
  ndc.cleanup();
});

function diagnosisOf(env: Record<string, string> = {}): DiagnosisService {
  const config = loadConfig(sfuConfigSchema, { RTMS_NODE_ID: 'sfu-1', ...env });
  const diagnosis = new DiagnosisService(config, engine, clock, new IceServers(config, clock));
  opened.push(diagnosis);
  return diagnosis;
}

/** Records the timers that were started. */
class WatchedClock extends ManualClock {
  readonly timers = new EventLog<number>();

  override after(milliseconds: number, action: () => void): Timer {
    this.timers.add(milliseconds);
    return super.after(milliseconds, action);
  }
}

const tryAll = (endpoints: MediaEndpoint[]): Promise<EndpointTrial[]> =>
  Promise.all(endpoints.map(each => tryEndpoint(each, clock)));

/** Tries endpoints for as long as others, which are open, need for three answers; then the time of the trials is over. */
async function triedInVain(endpoints: MediaEndpoint[]): Promise<EndpointTrial[]> {
  const trials = tryAll(endpoints);
  const open = (await diagnosisOf().diagnose()).endpoints;
  for (const _round of [1, 2, 3]) expect((await tryAll(open)).filter(({ ok }) => !ok)).toEqual([]);
  await clock.advance(2_000);
  return trials;
}

describe('the diagnosis of an SFU node', () => {
  it('makes a DTLS handshake with each media worker', async () => {
    const { handshake, measuredAt } = await diagnosisOf().diagnose();
    expect(handshake).toEqual({ ok: true, detail: '2 media workers, 0 ms' });
    expect(Date.parse(measuredAt)).toBe(clock.now());
  });

  it('reports a failed handshake after 4 s if the media workers are unreachable', async () => {
    let diagnosed: SfuDiagnosis | undefined;
    const diagnosing = diagnosisOf({ RTC_LISTEN_IP: '203.0.113.9' })
      .diagnose()
      .then(result => (diagnosed = result));
    // Each of the two handshakes waits for its candidates first, then for the connection.
    await clock.timers.find(() => clock.timers.all.filter(each => each === 4_000).length >= 4);
    await clock.advance(3_999);
    expect(diagnosed).toBeUndefined();
    await clock.advance(1);
    const { handshake, endpoints } = await diagnosing;
    expect(handshake).toEqual({ ok: false, detail: 'no handshake within 4000 ms' });
    expect(endpoints).not.toEqual([]);
  });

  it('opens endpoints of each worker that answer over UDP and TCP until it closes', async () => {
    const diagnosis = diagnosisOf();
    const { endpoints } = await diagnosis.diagnose();
    expect(endpoints.map(({ protocol }) => protocol).sort()).toEqual(['tcp', 'tcp', 'udp', 'udp']);
    const trials = await tryAll(endpoints);
    expect(trials.filter(({ ok }) => !ok)).toEqual([]);
    await diagnosis.close();
    expect((await triedInVain(endpoints)).filter(({ ok }) => ok)).toEqual([]);
  });

  it('closes its endpoints after 20 s', async () => {
    const before = engine.workers.map(({ rooms }) => rooms.size);
    await diagnosisOf().diagnose();
    await clock.advance(19_999);
    expect(engine.workers.map(({ rooms }) => rooms.size)).toEqual(before.map(count => count + 1));
    await clock.advance(1);
    expect(engine.workers.map(({ rooms }) => rooms.size)).toEqual(before);
  });

  it('refuses a password of another transport', async () => {
    const { endpoints } = await diagnosisOf().diagnose();
    const trials = await triedInVain(endpoints.map(each => ({ ...each, password: 'another' })));
    expect(trials.filter(({ ok }) => ok)).toEqual([]);
  });

  it('closes all test rooms', async () => {
    // Not the whole load: it contains measured CPU.
    const held = () => {
      const { publishers, consumers } = engine.load();
      return { publishers, consumers, rooms: engine.workers.map(({ rooms }) => rooms.size) };
    };
    const before = held();
    const diagnosis = diagnosisOf();
    await diagnosis.diagnose();
    await diagnosis.close();
    expect(held()).toEqual(before);
  });
});
