import { ManualClock } from '@rtms/testing';
import { DoctorService } from './doctor.service.js';

describe('the doctor', () => {
  it('runs once for requests at the same time, and anew afterwards', async () => {
    let runs = 0;
    const database = { query: () => Promise.reject(new Error('away')) };
    const nodes = { look: () => Promise.resolve([{ check: `run ${(runs += 1)}`, level: 'ok', message: 'Fine.' }]) };
    const bus = {
      isConnected: () => true,
      ensureStream: () => Promise.reject(new Error('away')),
      copies: () => Promise.resolve([]),
    };
    const config = { bus: {}, adminToken: 'x'.repeat(64), publicUrl: 'http://gateway.test' };
    const doctor = new DoctorService(
      database as never,
      undefined as never,
      nodes as never,
      bus as never,
      config as never,
      new ManualClock(),
    );
    const [one, other] = await Promise.all([doctor.look(), doctor.look()]);
    expect(one).toBe(other);
    expect(one.at(-1)?.check).toBe('run 1');
    expect((await doctor.look()).at(-1)?.check).toBe('run 2');
  });
});
