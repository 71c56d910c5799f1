/** @jest-environment jsdom */
import './element.js';
import type { RtmsPlayerElement } from './player-element.js';
import type { PlayerStatus } from './player-status.js';

const whep = 'https://sfu.test/whep/play_1';

describe('<rtms-player>', () => {
  let requests: string[];
  let states: string[];

  beforeEach(() => {
    [requests, states] = [[], []];
    const answer = { ok: false, status: 401, headers: { get: () => null }, json: () => Promise.resolve({}) };
    Object.assign(window, {
      RTCPeerConnection: FakeConnection,
      MediaStream: class {},
      fetch: (url: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
        requests.push(`${method} ${url} ${headers['Authorization']}`);
        return Promise.resolve(answer);
      },
    });
    FakeConnection.open = 0;
    FakeConnection.kinds = [];
  });
  afterEach(async () => {
    document.body.replaceChildren();
    await settled();
    expect(FakeConnection.open).toBe(0);
  });

  function add(markup: string): RtmsPlayerElement {
    document.body.innerHTML = markup;
    const element = document.body.firstElementChild as RtmsPlayerElement;
    element.addEventListener('statechange', event => {
      const { state, reason } = (event as CustomEvent<PlayerStatus>).detail;
      states.push([state, reason].filter(Boolean).join(' '));
    });
    return element;
  }

  /** More turns than any chain of promises here has. */
  const settled = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  const inner = (element: Element): HTMLVideoElement => element.shadowRoot!.querySelector('video')!;

  it('has all properties from the start, so that React sets them', () => {
    const player = document.createElement('rtms-player');
    const given = [
      'whep',
      'hls',
      'token',
      'tracks',
      'prefer',
      'renew',
      'autoplay',
      'controls',
      'muted',
      'shared',
      'nocmcd',
    ];
    expect(given.filter(name => !(name in player))).toEqual([]);
  });

  it('plays what its attributes say', async () => {
    const element = add(
      `<rtms-player whep="${whep}" token="t" tracks="video" muted controls autoplay label="Stage"></rtms-player>`,
    );
    await settled();
    expect(requests).toEqual([`POST ${whep} Bearer t`]);
    expect(FakeConnection.kinds).toEqual(['video']);
    const { muted, controls } = inner(element);
    expect([muted, controls, inner(element).getAttribute('aria-label')]).toEqual([true, true, 'Stage']);
    expect(states).toEqual(['connecting', 'failed token_refused']);
  });

  it('takes properties, as React sets them, and keeps a token out of the markup', async () => {
    const element = Object.assign(document.createElement('rtms-player'), { whep, token: 'secret', muted: true });
    document.body.append(element);
    await settled();
    expect(requests).toEqual([]);
    element.play();
    await settled();
    expect(requests).toEqual([`POST ${whep} Bearer secret`]);
    expect(document.body.innerHTML).toBe('<rtms-player></rtms-player>');
  });

  it('connects once for attributes that are set in a row, and again for another stream', async () => {
    const element = add('<rtms-player autoplay></rtms-player>');
    element.setAttribute('token', 'a');
    element.setAttribute('whep', whep);
    element.setAttribute('token', 'b');
    await settled();
    expect(requests).toEqual([`POST ${whep} Bearer b`]);
    element.whep = `${whep}2`;
    await settled();
    expect(requests.at(-1)).toBe(`POST ${whep}2 Bearer b`);
  });

  it('plays again by a renewed token when asked', async () => {
    const element = add(`<rtms-player whep="${whep}" token="old"></rtms-player>`);
    element.play();
    await settled();
    element.token = 'new';
    await settled();
    element.play();
    await settled();
    expect(requests).toEqual([`POST ${whep} Bearer old`, `POST ${whep} Bearer new`]);
  });

  const leave = () => window.dispatchEvent(new Event('pagehide'));
  const comeBack = () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));

  it('plays a new playback when the page returns from the cache of the browser, or after stop()', async () => {
    const element = add(`<rtms-player whep="${whep}" token="t" autoplay></rtms-player>`);
    let count = 1;
    element.renew = () => Promise.resolve({ whep: { url: `https://sfu.test/whep/play_${(count += 1)}`, token: 'n' } });
    await Promise.resolve();
    leave();
    await settled();
    expect(FakeConnection.open).toBe(0);
    comeBack();
    await Promise.resolve();
    expect(states.at(-1)).toBe('connecting');
    await element.stop();
    element.play();
    await settled();
    expect(requests.at(-1)).toBe(`POST https://sfu.test/whep/play_${count} Bearer n`);
  });

  it('plays another stream of the page without asking for a new one', async () => {
    const element = add(`<rtms-player whep="${whep}" token="t" autoplay></rtms-player>`);
    element.renew = () => Promise.reject(new Error('was asked'));
    await Promise.resolve();
    element.whep = `${whep}2`;
    await settled();
    expect(requests.at(-1)).toBe(`POST ${whep}2 Bearer t`);
  });

  it('plays the same shared playback when the page returns', async () => {
    const element = add(`<rtms-player whep="${whep}" token="t" autoplay shared></rtms-player>`);
    element.renew = () => Promise.reject(new Error('was asked'));
    await Promise.resolve();
    leave();
    comeBack();
    await settled();
    expect(requests.at(-1)).toBe(`POST ${whep} Bearer t`);
  });

  it('plays on when it is moved, closes everything when it is removed, and stays silent after stop()', async () => {
    const element = add(`<rtms-player whep="${whep}" token="t" autoplay></rtms-player>`);
    await Promise.resolve();
    document.body.append(document.createElement('section'));
    document.body.lastElementChild!.append(element);
    await settled();
    expect(requests).toHaveLength(1);
    element.remove();
    element.remove();
    await settled();
    expect(FakeConnection.open).toBe(0);
    await Promise.all([element.stop(), element.stop()]);
    element.play();
    element.token = 'later';
    await settled();
    expect([states.at(-1), FakeConnection.open]).toEqual(['idle stopped', 0]);
    expect(element.stats).toEqual({ transport: undefined });
  });
});

class FakeConnection extends EventTarget {
  static open = 0;
  static kinds: string[] = [];
  readonly connectionState = 'new';
  private isClosed = false;
  constructor() {
    super();
    FakeConnection.open += 1;
  }
  addTransceiver(kind: string): void {
    FakeConnection.kinds.push(kind);
  }
  createOffer(): Promise<RTCSessionDescriptionInit> {
    return Promise.resolve({ type: 'offer', sdp: 'v=0' });
  }
  close(): void {
    if (!this.isClosed) FakeConnection.open -= 1;
    this.isClosed = true;
  }
}
