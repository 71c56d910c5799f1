import { once } from 'node:events';
import { createSocket, type Socket } from 'node:dgram';
import type { Ffmpeg } from '@rtms/ffmpeg';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock } from '@rtms/testing';
import type { EncoderStream, StreamEnd } from '../publishing/encoder-stream.js';
import { SrtListener, type SrtListenerParts } from './srt-listener.js';
import { SrtSessions } from './srt-sessions.js';

/** A program that runs in place of FFmpeg. */
const inPlaceOfFfmpeg = (program: string) => ({ launcher: [process.execPath, '-e', program], path: '--' }) as Ffmpeg;
/** One chunk of media, then nothing. */
const sendsOnce = inPlaceOfFfmpeg(`process.stdin.resume(); process.stdout.write('media'); setInterval(() => {}, 1000)`);
const sendsMore = inPlaceOfFfmpeg(`process.stdin.resume(); setInterval(() => process.stdout.write('media'), 10)`);
const waits = inPlaceOfFfmpeg(`process.stdin.resume(); setInterval(() => {}, 1000)`);
const logger = createLogger({ service: 'ingest', level: 'silent' });

describe('an SRT listener', () => {
  let clock: ManualClock;
  let listener: SrtListener | undefined;
  let events: EventLog<string>;

  beforeEach(() => {
    clock = new ManualClock();
    events = new EventLog();
  });
  afterEach(async () => {
    await listener?.close();
    await listener?.close();
    listener = undefined;
    expect(clock.pending).toBe(0);
  });

  const listen = (parts: Partial<SrtListenerParts>) => {
    const all = { ...{ ffmpeg: sendsOnce, clock, logger, host: '127.0.0.1', latencyMs: 200 }, ...parts };
    const unused = { admit: () => Promise.reject(new Error('full')), report: () => undefined };
    return (listener = new SrtListener({ ...unused, ...all }, 'ext_1', 20_000, 'p'.repeat(32)));
  };
  /** A stream whose conversion takes everything, or nothing. */
  const streamOf = (takes: boolean) => {
    let end: (value: StreamEnd) => void = () => undefined;
    const ended = new Promise<StreamEnd>(resolve => (end = resolve));
    const write = (data: Buffer) => {
      events.add(data.toString());
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
    const parts = { ffmpeg: waits, clock, logger, host: '127.0.0.1', latencyMs: 200 };
    const unused = { admit: () => Promise.reject(new Error('full')), report: () => undefined };
    const options = { firstPort: port, lastPort: port + 20, now: () => clock.now() };
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
    expect(sessions.listeners).toEqual([]);
    const opened = await sessions.open(request);
    expect(opened.port).toBeGreaterThan(port);
    expect((await sessions.open({ ...request, passphrase: 'q'.repeat(32) })).port).toBe(opened.port);
  });
});
