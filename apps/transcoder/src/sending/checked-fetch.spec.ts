import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { checkedFetch, withoutPrivateAddresses } from './checked-fetch.js';

const candidate = (address: string) => `a=candidate:1 1 udp 2130706431 ${address} 40000 typ host\r\n`;

describe('an SDP answer of a target', () => {
  it.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    'fd00::1',
    '::1',
    'abc.local',
    'internal.example',
  ])('loses its candidate %s', address => {
    const sdp = `v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n${candidate(address)}a=end-of-candidates\r\n`;
    expect(withoutPrivateAddresses(sdp)).toBe('v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=end-of-candidates\r\n');
  });

  it.each(['8.8.8.8', '2606:4700::1111'])('keeps its candidate %s', address => {
    expect(withoutPrivateAddresses(candidate(address))).toBe(candidate(address));
  });
});

describe('SDP without private addresses', () => {
  it.each([
    'a=candidate:1\u00a01 udp 2130706431 8.8.8.8 10.0.0.1 40000 typ host\r\n',
    'a=candidate:1 1 udp 2130706431\t10.0.0.1 8.8.8.8 typ host\r\n',
    'a=candidate:1 1 udp 2130706431  8.8.8.8 40000 typ host\r\n',
    'a=candidate:1 1 udp 2130706431 8.8.8.8 40000 typ host\u2028\r\n',
    'A=candidate:1 1 udp 2130706431 10.0.0.1 40000 typ host\r\n',
  ])('has no candidate that readers may take apart in another way: %j', line => {
    expect(withoutPrivateAddresses(`v=0\r\n${line}`)).toBe('v=0\r\n');
  });

  it('names no private address of a section', () => {
    expect(withoutPrivateAddresses('c=IN IP4 10.0.0.1\r\nc=IN IP4 8.8.8.8\r\n')).toBe(
      'c=IN IP4 0.0.0.0\r\nc=IN IP4 8.8.8.8\r\n',
    );
  });
});

describe('a request to a target', () => {
  const ask = (url: string, allowsPrivate: boolean, address = '127.0.0.1') => {
    const resolve = () => Promise.resolve([{ address, family: 4 }]);
    return checkedFetch(allowsPrivate, { resolve })(url, { method: 'POST', body: 'v=0' });
  };

  it.each([
    ['https://10.0.0.1/whip', 'target_not_allowed'],
    ['https://live.example.com/whip', 'target_not_allowed'],
    ['http://live.example.com/whip', 'target_not_allowed'],
  ])('to %s is refused: %s', async (url, problem) => {
    await expect(ask(url, false)).rejects.toMatchObject({ problem });
  });

  it('has the status, the location and the body of the answer, and follows no redirect', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(request.url === '/away' ? 307 : 201, { location: '/session/1' }).end('v=0');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const answer = await ask(`${base}/whip`, true);
      expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([201, '/session/1', 'v=0']);
      expect((await ask(`${base}/away`, true)).status).toBe(307);
      expect(asked).toEqual(['/whip', '/away']);
    } finally {
      server.close();
    }
  });

  it('fails when the answer changes the protocol', async () => {
    const server = createTcpServer(socket => {
      socket.on('error', () => undefined);
      const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
      socket.once('data', () => socket.write(answer));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await expect(ask(`http://127.0.0.1:${port}/whip`, true)).rejects.toMatchObject({ problem: 'target_refused' });
    } finally {
      server.close();
    }
  });
});
