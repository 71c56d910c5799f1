import { ManualClock } from '@rtms/testing';
import { FakePeer, FakeServer } from '../testing/fake-peer.js';
import { restartedAnswer } from './ice-fragment.js';
import { iceServersIn } from './links.js';
import { WhepTransport } from './whep.js';

const url = 'https://sfu.test/whep/play_1';
const session = 'https://sfu.test/whep/play_1/key';
const stream = `${session}/events/s1`;
const events = `<${session}/events>; rel="urn:ietf:params:whep:ext:core:server-sent-events"; events="active,reconnect"`;
const turn =
  '<turn:turn.test:3478?transport=udp>; rel="ice-server"; username="1:a"; credential="c=="; credential-type="password"';
const answer =
  'v=0\r\na=ice-ufrag:old\r\na=ice-pwd:old\r\na=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\na=end-of-candidates\r\n';
const restarted = 'a=ice-ufrag:new\r\na=ice-pwd:new\r\nm=video 9 X 0\r\na=candidate:2 1 udp 1 192.0.2.2 9 typ host\r\n';

describe('the WHEP transport', () => {
  const { fetch, RTCPeerConnection, MediaStream } = globalThis as unknown as Record<string, unknown>;
  let clock: ManualClock;
  let server: FakeServer;
  let heard: string[];
  let transport: WhepTransport;

  const accept = (headers: Record<string, string> = {}) =>
    server.on(
      `POST ${url}`,
      () => new Response(answer, { status: 201, headers: { Location: session, ETag: '"1"', ...headers } }),
    );

  beforeEach(() => {
    [clock, server, heard] = [new ManualClock(), new FakeServer(), []];
    Object.assign(globalThis, { fetch: server.fetch, RTCPeerConnection: FakePeer, MediaStream: class {} });
    accept();
    server.on(`DELETE ${session}`, () => new Response());
  });
  afterEach(async () => {
    await transport.close();
    await clock.settled();
    expect([clock.pending, FakePeer.newest?.isClosed]).toEqual([0, true]);
    Object.assign(globalThis, { fetch, RTCPeerConnection, MediaStream });
  });

  async function open(token = 't'): Promise<FakePeer> {
    const video = { srcObject: null } as HTMLVideoElement;
    transport = new WhepTransport(
      { endpoint: () => Promise.resolve({ url, token }), video, clock },
      {
        onMedia: () => heard.push('media'),
        onStalled: reason => heard.push(reason),
        onLeaving: () => heard.push('leaving'),
        onLost: ({ reason }) => heard.push(`lost: ${reason}`),
      },
    );
    await clock.settled();
    return FakePeer.newest!;
  }

  it('sends the offer with the token, and media arrives', async () => {
    const peer = await open();
    expect([server.requests, peer.kinds]).toEqual([[`POST ${url} Bearer t`], ['video', 'audio']]);
    peer.receives();
    await clock.advance(500);
    expect(heard).toEqual(['media']);
  });

  it('plays from the first picture on, or after 2 s of sound', async () => {
    const peer = await open();
    peer.framesDecoded = 0;
    for (let turn = 0; turn < 4; turn += 1) {
      peer.receives();
      await clock.advance(500);
      expect(heard).toEqual([]);
    }
    peer.receives();
    await clock.advance(500);
    expect(heard).toEqual(['media']);
  });

  it('uses the TURN servers of the answer', async () => {
    accept({ Link: `${turn}, ${events}` });
    const peer = await open();
    const iceServers = [{ urls: 'turn:turn.test:3478?transport=udp', username: '1:a', credential: 'c==' }];
    expect(peer.configuration).toEqual({ iceServers });
  });

  it('measures delay, loss and size of the last second', async () => {
    const peer = await open();
    peer.receives(90, 10);
    await clock.advance(1_000);
    peer.receives(100);
    expect(transport.stats).toEqual({ delayMs: 80, loss: 0.1, width: 640, height: 360 });
    await clock.advance(1_000);
    expect(transport.stats.loss).toBe(0);
  });

  it('stalls after 3 s without media, and goes on', async () => {
    const peer = await open();
    peer.receives();
    await clock.advance(3_000);
    expect(heard).toEqual(['media']);
    await clock.advance(500);
    expect(heard).toEqual(['media', 'no_media']);
    peer.receives();
    await clock.advance(500);
    expect(heard.at(-1)).toBe('media');
  });

  it('stops reading an endless answer', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull: controller => {
        if ((sent += 1) > 100) controller.close();
        else controller.enqueue(new Uint8Array(100_000).fill(97));
      },
    });
    server.on(`POST ${url}`, () => new Response(body, { status: 201, headers: { Location: session } }));
    await open();
    expect(heard).toEqual(['lost: bad_answer']);
    expect(sent).toBeLessThan(10);
  });

  const json = (status: number, body: object, headers = {}) => new Response(JSON.stringify(body), { status, headers });

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['a lost connection', () => Promise.reject(new TypeError('failed')), 'unreachable'],
    ['no Location', () => new Response(answer, { status: 201 }), 'bad_answer'],
    [
      'a script as Location',
      () => new Response(answer, { status: 201, headers: { Location: 'javascript:x' } }),
      'bad_answer',
    ],
    [
      'a Location without TLS',
      () => new Response('', { status: 201, headers: { Location: 'http://sfu.test/' } }),
      'bad_answer',
    ],
    [
      'an endless answer',
      () => new Response('a'.repeat(300_000), { status: 201, headers: { Location: session } }),
      'bad_answer',
    ],
    ['a page of a proxy', () => new Response('<html>', { status: 502 }), 'unavailable'],
    ['an array as error', () => json(400, []), 'refused'],
    ['null as error', () => new Response('null', { status: 406 }), 'refused'],
    ['an expired token', () => json(401, { reason: 'token_expired' }), 'token_refused'],
    ['an ended playback', () => json(409, { reason: 'playback_ended' }), 'playback_ended'],
    ['a source that is away', () => json(409, { reason: 'source_not_active' }), 'source_inactive'],
    ['a full server', () => json(503, {}, { 'Retry-After': '-1' }), 'unavailable'],
  ])('is lost once by %s', async (_case, response, reason) => {
    server.on(`POST ${url}`, response);
    await open();
    await clock.advance(60_000);
    expect(heard).toEqual([`lost: ${reason}`]);
  });

  it('is lost by an answer that the browser refuses', async () => {
    server.on(`POST ${url}`, () => {
      FakePeer.newest!.refusal = new Error('m-lines');
      return new Response('no SDP', { status: 201, headers: { Location: session } });
    });
    await open();
    expect(heard).toEqual(['lost: bad_answer']);
  });

  describe('ICE', () => {
    const patch = (response: () => Response) => server.on(`PATCH ${session}`, response);

    it('is restarted once when the connection fails, with the new credentials of the server', async () => {
      patch(() => new Response(restarted, { headers: { Link: turn } }));
      const peer = await open();
      peer.becomes('failed');
      await clock.settled();
      expect([peer.restarts, peer.configuration.iceServers?.length]).toEqual([[false, true], 1]);
      expect(server.bodies.at(-1)).toBe(
        'a=ice-ufrag:u2\r\na=ice-pwd:p-u2\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:0\r\n',
      );
      peer.becomes('connected');
      await clock.advance(60_000);
      expect([heard, server.count('PATCH')]).toEqual([[], 1]);
    });

    it('is restarted after 3 s without a connection', async () => {
      patch(() => new Response(restarted));
      const peer = await open();
      peer.becomes('disconnected');
      await clock.advance(2_999);
      expect(server.count('PATCH')).toBe(0);
      await clock.advance(1);
      expect(server.count('PATCH')).toBe(1);
    });

    it.each<[string, () => Response]>([
      ['does not help', () => new Response(restarted)],
      ['is refused', () => new Response('{}', { status: 404 })],
      ['answers no credentials', () => new Response('<html>')],
    ])('is lost when the restart %s', async (_case, response) => {
      patch(response);
      const peer = await open();
      peer.becomes('failed');
      await clock.advance(8_000);
      expect([heard.length, server.count('PATCH')]).toEqual([1, 1]);
      expect(heard[0]).toMatch(/^lost: /);
    });

    it('is not restarted by a server without an ETag', async () => {
      server.on(`POST ${url}`, () => new Response(answer, { status: 201, headers: { Location: session } }));
      (await open()).becomes('failed');
      expect([heard, server.count('PATCH')]).toEqual([['lost: connection_lost'], 0]);
    });
  });

  describe('the events', () => {
    const says = (...types: string[]) => new Response(types.map(type => `event: ${type}\ndata: {}\n\n`).join(''));
    beforeEach(() => {
      accept({ Link: events });
      server.on(`POST ${session}/events`, () => new Response('', { status: 201, headers: { Location: stream } }));
    });

    it('say that the source is inactive, and that the node leaves', async () => {
      server.on(`GET ${stream}`, () => says('inactive', 'reconnect', 'unknown'));
      await open();
      await clock.settled();
      expect(heard).toEqual(['source_inactive', 'leaving']);
    });

    it('say that the source is active again: without media the transport then stalls', async () => {
      const encoder = new TextEncoder();
      let body!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
      server.on(
        `GET ${stream}`,
        () => new Response(new ReadableStream({ start: controller => void (body = controller) })),
      );
      await open();
      body.enqueue(encoder.encode('event: inactive\n'));
      await clock.advance(60_000);
      expect(heard).toEqual(['source_inactive']);
      body.enqueue(encoder.encode('event: active\n'));
      await clock.advance(500);
      expect(heard).toEqual(['source_inactive']);
      await clock.advance(3_000);
      expect(heard.at(-1)).toBe('no_media');
    });

    it('are read again after an interruption, until the viewer is gone', async () => {
      server.on(`GET ${stream}`, () => says('active'));
      await open();
      await clock.advance(5_000);
      expect(server.count('GET')).toBeGreaterThan(2);
      server.on(`GET ${stream}`, () => new Response('', { status: 404 }));
      await clock.advance(30_000);
      expect(heard).toEqual(['lost: connection_lost']);
    });

    it.each<[string, string, string]>([
      ['the Link', session.replace('https:', 'http:'), stream],
      ['the Location', session, stream.replace('https:', 'http:')],
    ])('are not read, and get no token, when %s leaves TLS', async (_case, link, location) => {
      accept({ Link: events.replace(session, link) });
      server.on(`POST ${link}/events`, () => new Response('', { status: 201, headers: { Location: location } }));
      server.on(`GET ${location}`, () => says('inactive'));
      await open();
      await clock.advance(60_000);
      expect([heard, server.requests.filter(request => request.includes(' http://'))]).toEqual([[], []]);
    });

    it('are asked for without an empty token', async () => {
      server.on(`GET ${stream}`, () => says('inactive'));
      await open('');
      await clock.settled();
      expect(heard).toEqual(['source_inactive']);
      expect([...new Set(server.requests.map(request => request.split(' ').slice(2).join(' ')))]).toEqual([
        'undefined',
      ]);
    });

    it.each<[string, () => Response]>([
      ['refuses', () => new Response('', { status: 500 })],
      ['ends at once', () => new Response('')],
      ['sends garbage', () => new Response(`${'x'.repeat(200_000)}\nevent\n:\n`)],
    ])('are given up when the server %s, without a loss of media', async (_case, response) => {
      server.on(`GET ${stream}`, response);
      await open();
      await clock.advance(3_600_000);
      expect([heard, server.count('GET') <= 6]).toEqual([[], true]);
    });
  });

  it('says goodbye once when it is closed twice, and hears nothing later', async () => {
    const peer = await open();
    await Promise.all([transport.close({ saysGoodbye: true }), transport.close({ saysGoodbye: true })]);
    peer.receives();
    peer.becomes('failed');
    await clock.advance(60_000);
    expect([heard, server.count('DELETE')]).toEqual([[], 1]);
  });

  it('takes no address that is not of STUN or TURN, and few of many', () => {
    expect(iceServersIn(`<https://evil.test>; rel="ice-server", ${turn}, <x; rel=y`)).toHaveLength(1);
    expect(iceServersIn(Array(1_000).fill(turn).join(', '))).toHaveLength(20);
  });

  it('replaces credentials and candidates in the answer', () => {
    expect(restartedAnswer(answer, restarted)).toBe(
      'v=0\r\na=ice-ufrag:new\r\na=ice-pwd:new\r\na=candidate:2 1 udp 1 192.0.2.2 9 typ host\r\n',
    );
  });
});
