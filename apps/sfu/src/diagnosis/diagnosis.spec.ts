import { loadConfig } from '@rtms/config';
import { tryEndpoint } from '@rtms/health';
import { MediasoupEngine } from '../media/mediasoup/mediasoup-engine.js';
import { sfuConfigSchema } from '../sfu.config.js';
import { Diagnosis } from './diagnosis.service.js';

let engine: MediasoupEngine;
const opened: Diagnosis[] = [];

beforeAll(async () => {
  engine = await MediasoupEngine.start({ workers: 2 });
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map(each => each.close()));
});

afterAll(() => engine?.close());

function diagnosisOf(env: Record<string, string> = {}): Diagnosis {
  const config = loadConfig(sfuConfigSchema, { RTMS_NODE_ID: 'sfu-1', ...env });
  const diagnosis = new Diagnosis(config, engine);
  opened.push(diagnosis);
  return diagnosis;
}

describe('the diagnosis of an SFU node', () => {
  it('makes a DTLS handshake with each media worker', async () => {
    const { handshake } = await diagnosisOf().diagnose();
    expect(handshake).toEqual({ ok: true, detail: expect.stringMatching(/^2 media workers, \d+ ms$/) });
  });

  it('says that no handshake stands where the media workers are not reached', async () => {
    const begun = Date.now();
    const { handshake, endpoints } = await diagnosisOf({ RTC_LISTEN_IP: '203.0.113.9' }).diagnose();
    expect(handshake).toEqual({ ok: false, detail: 'no handshake within 4000 ms' });
    expect(endpoints).not.toEqual([]);
    expect(Date.now() - begun).toBeLessThan(7_000);
  }, 15_000);

  it('has endpoints of each worker that answer over UDP and TCP until it is closed', async () => {
    const diagnosis = diagnosisOf();
    const { endpoints } = await diagnosis.diagnose();
    expect(endpoints.map(({ protocol }) => protocol).sort()).toEqual(['tcp', 'tcp', 'udp', 'udp']);
    const trials = await diagnosis.tryAll(endpoints);
    expect(trials.filter(({ ok }) => !ok)).toEqual([]);
    await diagnosis.close();
    const afterwards = await Promise.all(endpoints.map(each => tryEndpoint(each, 300)));
    expect(afterwards.filter(({ ok }) => ok)).toEqual([]);
  });

  it('does not take a password that is not the transport’s', async () => {
    const { endpoints } = await diagnosisOf().diagnose();
    const trials = await Promise.all(endpoints.map(each => tryEndpoint({ ...each, password: 'another' }, 300)));
    expect(trials.filter(({ ok }) => ok)).toEqual([]);
  });

  it('leaves no room behind', async () => {
    const before = engine.load();
    const diagnosis = diagnosisOf();
    await diagnosis.diagnose();
    await diagnosis.close();
    expect(engine.load()).toEqual(before);
  });
});
