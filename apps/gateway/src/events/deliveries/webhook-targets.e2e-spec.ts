import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { makeCertificates, type TestCertificates } from '@rtms/testing';
import { answering, WebhookReceiver } from '../testing/webhook-receiver.js';
import { WebhookTestBed } from '../testing/webhook-test-bed.js';
import { WebhookSenderService } from './webhook-sender.service.js';

describe('addresses of webhooks', () => {
  let certificates: TestCertificates;
  let receiver: WebhookReceiver;
  let beds: [refusing: WebhookTestBed, allowing: WebhookTestBed];
  let bed: WebhookTestBed;
  let asked: string[];

  const pair = () => {
    const { cert, key } = certificates.server;
    return { cert: readFileSync(cert), key: readFileSync(key) };
  };
  const network = () => bed.gateway.app.get(WebhookSenderService, { strict: false }).network;
  /** The receiver by a name, so that the gateway resolves it. */
  const named = (host = 'localhost') => `https://${host}:${receiver.port}/hook`;

  beforeAll(async () => {
    certificates = makeCertificates('hooks.example.com');
    beds = [await WebhookTestBed.start({ config: { insecureWebhooks: false } }), await WebhookTestBed.start()];
  });
  afterAll(async () => {
    certificates?.remove();
    for (const each of beds ?? []) await each.close();
  });
  beforeEach(async () => {
    asked = [];
    receiver = await WebhookReceiver.start(pair());
  });
  afterEach(() => receiver?.close());

  /** Chooses a gateway by its setting. Its resolver answers the addresses one after the other, the last one again and again. */
  const start = async (insecureWebhooks: boolean, addresses: readonly string[] = ['127.0.0.1']) => {
    bed = beds[insecureWebhooks ? 1 : 0];
    bed.account = await bed.gateway.makeAccount();
    network().resolve = host => {
      const address = addresses[Math.min(asked.length, addresses.length - 1)]!;
      asked.push(host);
      return Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
    };
    network().tls = { ca: readFileSync(certificates.ca) };
  };
  /** Without other events than those of `test`. */
  const createWebhook = (url: string) => bed.createWebhook(url, { eventTypes: ['recording.failed'] });
  /** Sends one test event and returns its only attempt. */
  const attemptAt = async (url: string, limitMs?: number) => {
    const { webhookID } = await createWebhook(url);
    const { deliveryID } = (await bed.act('test', { webhookID }))['delivery'] as unknown as { deliveryID: string };
    await bed.attempted(webhookID, 1, limitMs);
    const { attempts } = await bed.detailed(webhookID, deliveryID);
    return attempts[0] as {
      status: number | null;
      error: string | null;
      responseBody: string | null;
      durationMs: number;
    };
  };

  it('are reached by HTTPS with a valid certificate', async () => {
    await start(true);
    expect(await attemptAt(named())).toMatchObject({ status: 200, error: null, responseBody: 'thanks' });
    expect(asked).toEqual(['localhost']);
  });

  it('with a bad certificate get nothing', async () => {
    await start(true);
    network().tls = {};
    const { status, error } = await attemptAt(named());
    expect({ status, error }).toEqual({ status: null, error: expect.stringMatching(/certificate|issuer/) });
    network().tls = { ca: readFileSync(certificates.ca) };
    expect(await attemptAt(named('other.example.com'))).toMatchObject({
      status: null,
      error: expect.stringContaining('altnames'),
    });
    expect(receiver.received.length).toBe(0);
  });

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.64.0.1', '::1', '::ffff:127.0.0.1', 'fd00:ec2::254'])(
    'that resolve to %s get nothing',
    async address => {
      await start(false, [address]);
      expect(await attemptAt(named('hooks.example.com'))).toMatchObject({ error: 'the host has a private address' });
      expect(asked).toEqual(['hooks.example.com']);
      expect(receiver.received.length).toBe(0);
    },
  );

  it('are checked for each connection, so that a changed address is refused', async () => {
    await start(false, ['127.0.0.1', '::1']);
    const { webhookID } = await createWebhook(named('hooks.example.com'));
    for (const count of [1, 2]) {
      await bed.act('test', { webhookID });
      await bed.attempted(webhookID, count);
    }
    expect(asked.length).toBe(2);
    expect((await bed.deliveries(webhookID)).map(({ error }) => error)).toEqual(
      Array(2).fill('the host has a private address'),
    );
    expect(receiver.received.length).toBe(0);
  });

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://localhost/',
    'https://app.localhost./',
    'https://192.168.1.1:8443/x',
    'https://ada:secret@hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
  ])('cannot be %s', async url => {
    await start(false);
    const { status, body } = await bed.post('/v1/webhooks', { action: 'create', url });
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_request' });
    expect(body.error).toMatch(/^url must be /);
  });

  it('that became forbidden by the setting get nothing', async () => {
    await start(true);
    const { webhookID } = await createWebhook(receiver.url);
    Object.assign(bed.gateway.config, { insecureWebhooks: false });
    try {
      await bed.act('test', { webhookID });
      await bed.attempted(webhookID, 1);
      expect(await bed.deliveries(webhookID)).toMatchObject([{ error: 'the host is a private address' }]);
    } finally {
      Object.assign(bed.gateway.config, { insecureWebhooks: true });
    }
  });

  it('that redirect get nothing more', async () => {
    await start(true);
    receiver.answer = answering(307, { Location: named() });
    expect(await attemptAt(named())).toMatchObject({ status: 307, error: '307: redirects are not followed' });
    expect(receiver.received.length).toBe(1);
  });

  it('that never answer are left at the deadline', async () => {
    await start(true);
    receiver.answer = () => undefined;
    const { webhookID } = await createWebhook(named());
    await bed.act('test', { webhookID });
    await bed.until(receiver.received.atLeast(1), 1_000);
    await bed.attempted(webhookID, 1, 13_000);
    expect(await bed.deliveries(webhookID)).toMatchObject([
      { error: 'no answer within 12 seconds', responseStatus: null },
    ]);
  });

  it('that answer an endless or a slow body cost a few kilobytes and a second', async () => {
    await start(true);
    let sent = 0;
    const closed = new Promise<void>(resolve => {
      receiver.answer = response => {
        const flood = (): void => {
          while (!response.destroyed && sent < 500_000_000) {
            sent += 65_536;
            if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', flood);
          }
        };
        response.once('close', resolve);
        response.writeHead(200);
        flood();
      };
    });
    expect(await attemptAt(named())).toMatchObject({ status: 200, responseBody: 'x'.repeat(1_024) });
    await closed;
    expect(sent).toBeLessThan(20_000_000);
    receiver.answer = response => void response.writeHead(200).write('slow \u0000');
    expect(await attemptAt(named(), 3_000)).toMatchObject({ status: 200, error: null, responseBody: 'slow \uFFFD' });
  });

  it.each([
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 'the answer was 101'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'the answer was 101'],
    ['', 'Error: socket hang up'],
  ])('that answer %j and close are an error of the attempt', async (answer, error) => {
    await start(true);
    const server = createServer(
      socket => void socket.on('error', () => undefined).once('data', () => socket.end(answer)),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      expect(await attemptAt(`http://127.0.0.1:${port}/`)).toMatchObject({ error });
    } finally {
      server.close();
    }
  });

  it('that nobody serves are an error of the attempt', async () => {
    await start(true);
    await receiver.close();
    expect(await attemptAt(named())).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') });
  });
});
