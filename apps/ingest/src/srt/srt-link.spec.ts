import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import type { Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock, waitFor } from '@rtms/testing';
import type { EncoderStream, StreamEnd } from '../publishing/encoder-stream.js';
import { SrtLink, type SrtLinkParts } from './srt-link.js';
import { callerRoute, listenerRoute } from './srt-routes.js';
import { SrtSessions } from './srt-sessions.js';

/** A program that runs in place of FFmpeg. */
const inPlaceOfFfmpeg = (program: string) => ({ launcher: [process.execPath, '-e', program], path: '--' }) as Ffmpeg;
/** One chunk of media, then nothing. */
const sendsOnce = inPlaceOfFfmpeg(`process.stdin.resume(); process.stdout.write('media'); setInterval(() => {}, 1000)`);
/** More than a pipe holds, so that some of it is never read. */
const sendsMore = inPlaceOfFfmpeg(
  `process.stdin.resume(); process.stdout.write(Buffer.alloc(1_000_000)); setInterval(() => {}, 1000)`,
);
const waits = inPlaceOfFfmpeg(`process.stdin.resume(); setInterval(() => {}, 1000)`);
const failsWith = (line: string) => inPlaceOfFfmpeg(`console.error(${JSON.stringify(line)})`);
const logger = createLogger({ service: 'ingest', level: 'silent' });

describe('an SRT connection', () => {
  let clock: ManualClock;
  let link: SrtLink | undefined;
  let events: EventLog<string>;

  beforeEach(() => {
    clock = new ManualClock();
    events = new EventLog();
  });
  afterEach(async () => {
    await link?.close();
    await link?.close();
    link = undefined;
    expect(clock.pending).toBe(0);
  });

  const partsOf = (parts: Partial<SrtLinkParts>): SrtLinkParts => {
    const unused = { admit: () => Promise.reject(new Error('full')), report: () => undefined };
    return { ...{ ffmpeg: sendsOnce, clock, logger }, ...unused, ...parts };
  };
  const listen = (parts: Partial<SrtLinkParts>) => {
    const route = { host: '127.0.0.1', port: 20_000, passphrase: 'p'.repeat(32), latencyMs: 200 };
    return (link = new SrtLink(partsOf(parts), 'ext_1', listenerRoute(route)));
  };
  const call = (parts: Partial<SrtLinkParts>, { url = 'srt://8.8.8.8:9000', address = '8.8.4.4' } = {}) => {
    const request = { sessionID: 'ext_1', url, passphrase: 'its passphrase', allowsPrivate: false };
    const resolve = () => Promise.resolve([{ address, family: 4 }]);
    const report = (problem: string) => void events.add(problem);
    return (link = new SrtLink(partsOf({ report, ...parts }), 'ext_1', callerRoute(request, 200, resolve)));
  };
  /** A stream whose conversion takes everything, or nothing. */
  const streamOf = (takes: boolean) => {
    let end: (value: StreamEnd) => void = () => undefined;
    const ended = new Promise<StreamEnd>(resolve => (end = resolve));
    const write = () => {
      events.add('media');
      return takes;
    };
    const close = () => {
      events.add('closed');
      end({});
    };
    return { ended, write, close } as unknown as EncoderStream;
  };

  it.each([
    ['sends nothing any more', sendsOnce, true, 2_500],
    ['sends more than the conversion takes', sendsMore, false, 30_000],
  ])('drops an encoder that %s', async (_, ffmpeg, takes, limitMs) => {
    listen({ ffmpeg, admit: async () => streamOf(takes) });
    await events.atLeast(takes ? 1 : 2);
    await clock.advance(limitMs);
    expect(events.all).not.toContain('closed');
    await clock.advance(500);
    await events.find(event => event === 'closed');
  });

  it('does not count the time in which its process was blocked, because media may be unread', async () => {
    listen({ ffmpeg: sendsOnce, admit: async () => streamOf(true) });
    await events.atLeast(1);
    await clock.advance(250);
    clock.stall(20_000);
    await clock.advance(2_500);
    expect(events.all).not.toContain('closed');
    await clock.advance(500);
    await events.find(event => event === 'closed');
  });

  it.each([
    ['REJECT reported from HS processing: Incorrect passphrase - not processing further', 'wrong_passphrase'],
    ['REJECT reported from HS processing: Password required or unexpected', 'wrong_passphrase'],
    ['REJECT reported from HS processing: Application resource not found', 'encoder_refused'],
    ['Connection to srt://8.8.8.8:9000?mode=caller failed: Input/output error', 'encoder_unreachable'],
    ['pipe:0: Invalid data found when processing input', 'no_media'],
  ])('reports a call that ends with “%s” as %s', async (line, problem) => {
    call({ ffmpeg: failsWith(line) });
    expect(await events.atLeast(1)).toEqual([problem]);
  });

  it('knows why a call ends also if the stream ID is a part of the reason', async () => {
    const request = { sessionID: 'ext_1', url: 'srt://8.8.8.8:9000', streamID: 'R', allowsPrivate: false };
    const report = (problem: string) => void events.add(problem);
    const ffmpeg = failsWith('REJECT reported from HS processing: Application resource not found');
    link = new SrtLink(partsOf({ report, ffmpeg }), 'ext_1', callerRoute(request, 200));
    expect(await events.atLeast(1)).toEqual(['encoder_refused']);
  });

  it.each([
    ['srt://encoder.example.com:9000', '10.0.0.1'],
    ['srt://192.168.1.2:9000', '8.8.4.4'],
    ['srt://[::1]:9000', '8.8.4.4'],
  ])('does not call %s at %s in a private network', async (url, address) => {
    call({ ffmpeg: sendsOnce, admit: () => Promise.resolve(streamOf(true)) }, { url, address });
    expect(await events.atLeast(1)).toEqual(['address_not_allowed']);
  });

  it('closes while a name server does not answer', async () => {
    const request = { sessionID: 'ext_1', url: 'srt://encoder.example.com:9000', allowsPrivate: false };
    const never = () => {
      events.add('asked');
      return new Promise<never>(() => undefined);
    };
    link = new SrtLink(partsOf({}), 'ext_1', callerRoute(request, 200, never));
    expect(await events.atLeast(1)).toEqual(['asked']);
    await link.close();
  });

  it('calls again after a pause that doubles, until it is closed', async () => {
    call({ ffmpeg: failsWith('Connection to srt://8.8.8.8:9000 failed: Input/output error') });
    for (const [attempt, pauseMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      await events.atLeast(attempt + 1);
      await waitFor(() => clock.pending > 0, { what: 'the pause' });
      await clock.advance(pauseMs - 1);
      expect(events.all).toHaveLength(attempt + 1);
      await clock.advance(1);
    }
    await events.atLeast(8);
  });

  it('reports a called encoder that sends nothing, and keeps its connection', async () => {
    call({ ffmpeg: waits, admit: () => Promise.resolve(streamOf(true)) });
    await waitFor(() => clock.pending > 0, { what: 'the connection' });
    await clock.advance(15_000);
    expect(await events.atLeast(1)).toEqual(['no_media']);
  });
});

describe('the list of inputs of a call', () => {
  const inputs = (passphrase: string, streamID?: string) => {
    const request = { sessionID: 'ext_1', url: 'srt://encoder.example.com:9000', passphrase, allowsPrivate: false };
    const resolve = () => Promise.resolve([{ address: '2606:4700::1111', family: 6 }]);
    return callerRoute({ ...request, ...(streamID !== undefined && { streamID }) }, 200, resolve).inputs();
  };

  it('names the address that was checked, and options that no secret can end', async () => {
    const list = await inputs("it's&mode=listener", 'read:a/b#!::r=x');
    expect(list).toContain("file 'srt://[2606:4700::1111]:9000?mode=caller&latency=200000'");
    expect(list).toContain(String.raw`option passphrase 'it'\''s&mode=listener'`);
    expect(list).toContain("option streamid 'read:a/b#!::r=x'");
  });
});

describe('SRT sessions', () => {
  let sessions: SrtSessions;
  let stranger: Socket;
  let port: number;

  beforeEach(async () => {
    const clock = new ManualClock();
    stranger = createSocket('udp4').bind(0);
    await once(stranger, 'listening');
    ({ port } = stranger.address());
    const parts = { ffmpeg: waits, clock, logger };
    const unused = { admit: () => Promise.reject(new Error('full')), report: () => undefined };
    const options = { host: '127.0.0.1', firstPort: port, lastPort: port + 2, latencyMs: 200, now: () => clock.now() };
    sessions = new SrtSessions({ ...options, parts: () => ({ ...parts, ...unused }) });
  });
  afterEach(async () => {
    await sessions.close();
    await sessions.close();
    stranger.close();
  });

  it('open no other port than the one that the encoder has', async () => {
    const request = { sessionID: 'ext_1', protocol: 'srt' as const, passphrase: 'p'.repeat(32) };
    await expect(sessions.open({ ...request, port })).rejects.toThrow(`port ${port} is in use`);
    expect(sessions.links).toEqual([]);
    const opened = await sessions.open(request);
    expect(opened.port).toBeGreaterThan(port);
    expect((await sessions.open({ ...request, passphrase: 'q'.repeat(32) })).port).toBe(opened.port);
  });

  it('take no more calls than the node has places, and replace a call with another address', async () => {
    const request = { passphrase: 'p'.repeat(32), url: 'srt://8.8.8.8:9000', allowsPrivate: false };
    const ids = ['ext_1', 'ext_2', 'ext_3'];
    for (const sessionID of ids) await sessions.call({ sessionID, ...request });
    const [first] = sessions.links;
    await sessions.call({ sessionID: 'ext_1', ...request });
    expect(sessions.links[0]).toBe(first);
    await sessions.call({ sessionID: 'ext_1', ...request, url: 'srt://8.8.4.4:9000' });
    expect(sessions.links).not.toContain(first);
    await expect(sessions.call({ sessionID: 'ext_4', ...request })).rejects.toThrow('no more SRT sessions');
    expect(sessions.places).toEqual({ used: 3, all: 3 });
  });
});
