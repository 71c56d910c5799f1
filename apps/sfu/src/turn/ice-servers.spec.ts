import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { ManualClock } from '@rtms/testing';
import { IceServers, turnCredentials } from './ice-servers.js';
import { parseTurnUrl, tryTurn } from './try-turn.js';

const secret = 'north-of-the-river';
const urls = ['turn:turn.example:3478?transport=udp', 'turns:turn.example:443?transport=tcp'];

function servers(clock = new ManualClock()): IceServers {
  return new IceServers({ turn: { urls, secret, credentialSeconds: 600 } }, clock);
}

describe('TURN credentials', () => {
  it('equal those of OpenSSL', () => {
    // printf 1700003600:ext_1 | openssl dgst -sha1 -hmac north-of-the-river -binary | base64
    const credential = 'R2xn8KXD25MWTXpijPTtj2yEwn4=';
    expect(turnCredentials(secret, 1_700_003_600, 'ext_1')).toEqual({ username: '1700003600:ext_1', credential });
  });

  it('expire after the configured time, and are new for each session', async () => {
    const clock = new ManualClock();
    const minter = servers(clock);
    const [first, second] = [minter.mint('ext_1')[0]!, minter.mint('ext_1')[0]!];
    await clock.advance(60_000);
    const later = minter.mint('ext_1')[0]!;
    const expiryOf = ({ username }: { username: string }): number => Number(username.split(':')[0]);
    expect(expiryOf(first)).toBe(Math.floor((clock.now() - 60_000) / 1000) + 600);
    expect(expiryOf(later)).toBe(expiryOf(first) + 60);
    expect(first.username).toMatch(/^\d+:ext_1-[0-9a-f]{8}$/);
    expect(new Set([first, second, later].map(({ username }) => username)).size).toBe(3);
    expect(new Set([first, second, later].map(({ credential }) => credential)).size).toBe(3);
  });

  it('are the same in each link of one header', () => {
    const links = servers().link('ext_1')!.split(', ');
    const [udp, tls] = links.map(link =>
      /^<([^>]+)>; rel="ice-server"; (username="\d+:ext_1-\w{8}"; credential="[\w+/]{27}="); credential-type="password"$/.exec(
        link,
      ),
    );
    expect([udp?.[1], tls?.[1]]).toEqual(urls);
    expect(udp?.[2]).toBe(tls?.[2]);
  });

  it('do not exist without TURN servers', () => {
    const none = new IceServers({ turn: undefined }, new ManualClock());
    expect([none.mint('ext_1'), none.link('ext_1')]).toEqual([[], undefined]);
  });
});

describe('the address of a TURN server', () => {
  it.each([
    ['turn:turn.example', 'turn.example', 3478, 'udp'],
    ['turn:turn.example:443?transport=tcp', 'turn.example', 443, 'tcp'],
    ['turns:turn.example', 'turn.example', 5349, 'tls'],
    ['turns:[2001:db8::1]:443?transport=tcp', '2001:db8::1', 443, 'tls'],
  ])('is read from %s', (url, host, port, transport) => {
    expect(parseTurnUrl(url)).toEqual({ host, port, transport });
  });
});

describe('a trial of a TURN server', () => {
  it('fails when the server has not answered for 4 s', async () => {
    const clock = new ManualClock();
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      const url = `turn:127.0.0.1:${silent.address().port}?transport=udp`;
      let isOver = false;
      const trial = tryTurn({ url, username: 'u', credential: 'c', peer: undefined }, clock).finally(
        () => (isOver = true),
      );
      await once(silent, 'message');
      await clock.advance(3_999);
      expect(isOver).toBe(false);
      await clock.advance(1);
      expect(isOver).toBe(true);
      expect(await trial).toEqual({ url, ok: false, detail: 'no answer within 4000 ms' });
      expect(clock.pending).toBe(0);
    } finally {
      silent.close();
    }
  });
});
