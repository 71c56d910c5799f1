import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { EventLog } from '@rtms/testing';
import { Webhook } from 'standardwebhooks';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const formerSecret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const eventOf = (id: string, data: object = { hostName: 'Ada' }): string =>
  JSON.stringify({ id, type: 'room.created', createdAt: '2026-11-24T00:00:00.000Z', accountID: 'acct_1', data });

describe('the webhook receiver of the examples', () => {
  const output = new EventLog<string>();
  const text = (): string => output.all.join('');
  const says = async (part: string): Promise<void> => {
    if (!text().includes(part)) await output.next(() => text().includes(part));
  };
  let child: ChildProcess;
  let address: string;

  beforeAll(async () => {
    child = spawn(process.execPath, ['receiver.mjs'], {
      cwd: 'examples/webhook-receiver',
      env: { WEBHOOK_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.on('data', data => output.add(String(data)));
    await says('/webhooks\n');
    address = /^Webhooks at (\S+)$/m.exec(text())?.[1] ?? '';
  });

  afterAll(async () => {
    const closed = once(child, 'close');
    child.kill();
    await closed;
  });

  /** Posts the body as RTMS does. Answers the status. */
  async function deliver(id: string, { body = eventOf(id), at = new Date(), keys = [secret] } = {}): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': keys.map(key => new Webhook(key).sign(id, at, body)).join(' '),
    };
    return (await fetch(address, { method: 'POST', headers, body })).status;
  }

  it('handles a repeated event once', async () => {
    expect([await deliver('evt_1'), await deliver('evt_1'), await deliver('evt_2')]).toEqual([204, 204, 204]);
    await says('evt_2 ');
    expect(text().match(/^evt_.+$/gm)).toEqual(['evt_1 room.created, room of Ada', 'evt_2 room.created, room of Ada']);
  });

  it('accepts a delivery that the former secret signs too', async () => {
    expect(await deliver('evt_3', { keys: [formerSecret, secret] })).toBe(204);
    await says('evt_3 ');
  });

  it('refuses a wrong secret, an old delivery and a body that is too large', async () => {
    expect(await deliver('evt_4', { keys: [formerSecret] })).toBe(401);
    expect(await deliver('evt_4', { at: new Date(Date.now() - 3_600_000) })).toBe(401);
    expect(await deliver('evt_4', { body: eventOf('evt_4', { text: 'x'.repeat(300_000) }) })).toBe(413);
    // A line about evt_4 would come before the one about evt_5.
    expect(await deliver('evt_5')).toBe(204);
    await says('evt_5 ');
    expect(text()).not.toContain('evt_4');
  });
});
