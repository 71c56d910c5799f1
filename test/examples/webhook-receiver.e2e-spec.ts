import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { EventLog } from '@rtms/testing';
import { Webhook } from 'standardwebhooks';
import { runPages } from '../docs/page-blocks.js';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const event = {
  id: 'evt_1',
  type: 'room.created',
  createdAt: '2026-11-24T00:00:00.000Z',
  accountID: 'acct_1',
  data: {},
};

describe('the webhook receiver of the examples', () => {
  const output = new EventLog<string>();
  const text = (): string => output.all.join('');
  const says = async (part: string): Promise<void> => {
    if (!text().includes(part)) await output.next(() => text().includes(part), { timeoutMs: 60_000 });
  };
  let child: ChildProcess;
  let address: string;

  beforeAll(async () => {
    const [block] = runPages().get('examples/webhook-receiver/README.md') ?? [];
    // A process group of its own, because a signal to a shell does not reach what the shell started.
    child = spawn('bash', ['-euc', block?.code ?? ''], {
      env: { PATH: process.env['PATH'], SECRET: secret, PORT: '0' },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.on('data', data => output.add(String(data)));
    await says('/webhooks\n');
    address = /^Webhooks at (\S+)$/m.exec(text())?.[1] ?? '';
  });

  afterAll(async () => {
    const closed = once(child, 'close');
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await closed;
  });

  /** Posts the body with a signature of RTMS. */
  async function deliver(body: string, { at = new Date(), key = secret, id = event.id } = {}): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(id, at, body),
    };
    return (await fetch(address, { method: 'POST', headers, body })).status;
  }

  it('handles a repeated event once', async () => {
    const body = JSON.stringify(event);
    expect([await deliver(body), await deliver(body)]).toEqual([204, 204]);
    expect(await deliver(JSON.stringify({ ...event, id: 'evt_2' }), { id: 'evt_2' })).toBe(204);
    await says('evt_2 ');
    expect(text().match(/^evt_\d \S+/gm)).toEqual(['evt_1 room.created', 'evt_2 room.created']);
  });

  it('refuses a wrong secret, an old delivery and a body that is too large', async () => {
    const body = JSON.stringify({ ...event, id: 'evt_3' });
    expect(await deliver(body, { key: `whsec_${Buffer.alloc(24, 8).toString('base64')}` })).toBe(401);
    expect(await deliver(body, { at: new Date(Date.now() - 3_600_000) })).toBe(401);
    expect(await deliver(JSON.stringify({ ...event, data: { text: 'x'.repeat(300_000) } }))).toBe(413);
    expect(text()).not.toContain('evt_3');
  });
});
