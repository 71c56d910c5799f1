import { ManualClock } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { ResourceClient } from '../../testing/resource-client.js';
import { startTestGateway, type TestGateway } from '../../testing/start-test-gateway.js';

/** A use is stored within this time. */
const writeMs = 2_000;

describe('the uses of a disposable key', () => {
  const clock = new ManualClock(Date.now());
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ clock });
  });
  afterAll(() => gateway?.close());

  it('are in the database seconds later, so that a crash loses few uses', async () => {
    const owner = await gateway.makeAccount();
    const keys = new ResourceClient(gateway, '/v1/disposable-keys', owner);
    const { body } = await keys.post('create', { name: 'Widget', type: 'sandbox', operations: ['readRooms'] });
    const { keyID, apiKey } = body.disposableKey as { keyID: string; apiKey: string };
    const authorization = `Bearer ${owner.apiUserName}:${apiKey}`;
    for (let use = 0; use < 7; use += 1) {
      await gateway.http.get('/v1/rooms').set('Authorization', authorization).expect(200);
    }
    const written = async () => {
      const rows = await gateway.app
        .get(DataSource)
        .query<{ count: number }[]>('SELECT request_count::int AS count FROM disposable_key_usage WHERE key_id = $1', [
          keyID,
        ]);
      return rows[0]?.count;
    };
    expect(await written()).toBe(1);
    await clock.advance(writeMs - 1);
    expect(await written()).toBe(1);
    await clock.advance(1);
    expect(await written()).toBe(7);
  });
});
