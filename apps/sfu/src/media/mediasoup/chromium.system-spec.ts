/** @weight 0.25 for 65 s */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HealthCode, PreferredLayers, RtpCodec } from '@rtms/contracts';
import { systemClock } from '@rtms/clock';
import { EncoderPublisher, EventLog, waitFor } from '@rtms/testing';
import type { PublishedTrack } from '../media-engine.js';
import type { PayloadNumbers } from '../payload-numbers.js';
import { parseOffer } from '../../signalling/sdp/parse-offer.js';
import { adaptedNumbers, toViewedSections } from '../../signalling/sdp/receiver-capabilities.js';
import { BrowserPage, type CodecChoice } from '../testing/browser-page.js';
import { becomes, receives } from '../testing/media-scene.js';
import { acceptPublisher, acceptViewer } from '../testing/negotiate.js';
import { describeMembers } from '../media-members.contract.js';
import { ChromiumMemberDriver } from '../testing/chromium-member-driver.js';
import { killMediasoupWorker, startMediasoup } from '../testing/mediasoup-under-test.js';
import { MediasoupEngine } from './mediasoup-engine.js';
import type { MediasoupRoom } from './mediasoup-room.js';

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('Chromium as publisher and viewer', () => {
  let engine: MediasoupEngine;
  let page: BrowserPage;
  let room: MediasoupRoom;

  beforeAll(async () => {
    engine = await MediasoupEngine.start({ workers: 1, clock: systemClock });
    page = await BrowserPage.open();
  });

  beforeEach(async () => {
    room = await engine.openRoom(expect.getState().currentTestName ?? 'room');
  });

  afterEach(async () => {
    await page.closeConnections();
    await room.close();
  });

  afterAll(async () => {
    await page.close();
    await engine.close();
  });

  async function publish(name: string, choice: CodecChoice): Promise<PublishedTrack[]> {
    const transport = await room.openPublisher();
    const { answer, tracks } = await acceptPublisher(transport, await page.offerToPublish(name, choice));
    await page.answer(name, answer);
    await receiving(tracks);
    return tracks;
  }

  async function receiving(tracks: PublishedTrack[]): Promise<void> {
    expect(tracks).not.toHaveLength(0);
    await Promise.all(tracks.map(receives));
  }

  async function view(name: string, tracks: PublishedTrack[], renumbered?: [number, number][]) {
    const offer = await page.offerToView(name, renumbered);
    const transport = await room.openViewer(renumbered && numbersOf(offer, tracks));
    const viewed = await acceptViewer(transport, offer, tracks);
    await page.answer(name, viewed.answer);
    await becomes(transport, 'connected');
    await transport.start();
    return { transport, ...viewed };
  }

  /** The offer as a playback with adaptive payload matching reads it. */
  function numbersOf(sdp: string, tracks: PublishedTrack[]): PayloadNumbers {
    const sections = toViewedSections(parseOffer(sdp), ['audio', 'video']);
    return adaptedNumbers(sections, tracks, engine.payloadProfile);
  }

  async function decodes(name: string): Promise<void> {
    const before = await page.decoded(name);
    await waitFor(
      async () => {
        const { frames, audioPackets } = await page.decoded(name);
        return frames > before.frames + 10 && audioPackets > before.audioPackets + 10;
      },
      { what: 'pictures and sound to be decoded' },
    );
  }

  it.each<[string, CodecChoice, number]>([
    ['VP8', { mimeType: 'video/VP8' }, 96],
    ['VP9', { mimeType: 'video/VP9' }, 98],
    ['AV1', { mimeType: 'video/AV1' }, 45],
    ['H264 Baseline', { mimeType: 'video/H264', profile: '42001f' }, 102],
    ['H264 Constrained Baseline', { mimeType: 'video/H264', profile: '42e01f' }, 108],
    ['H264 Main', { mimeType: 'video/H264', profile: '4d001f' }, 116],
  ])('publishes %s and decodes it by its plain offer', async (name, choice, payloadType) => {
    const tracks = await publish(`publisher of ${name}`, choice);
    const { sent } = await view(name, tracks);
    expect(sent.find(({ kind }) => kind === 'video')?.rtpParameters.codecs[0]?.payloadType).toBe(payloadType);
    await decodes(name);
  });

  it.each(['VP9', 'AV1'])('measures the size of %s pictures that a viewer decodes', async codec => {
    const tracks = await publish(`publisher of ${codec}`, { mimeType: `video/${codec}` });
    const video = tracks.find(({ kind }) => kind === 'video')!;
    await view(codec, tracks);
    await waitFor(
      async () => {
        // The browser sends smaller pictures at first; each look at them takes 1.5 s, and the next one comes 15 s later.
        const [{ width: told }, { width: decoded }] = [await video.reception(), await page.decoded(codec)];
        return decoded > 0 && told === decoded;
      },
      { what: 'the size of the pictures' },
    );
  });

  it.each<[string, CodecChoice, [number, number][], (number | undefined)[]]>([
    [
      'VP8',
      { mimeType: 'video/VP8' },
      [
        [111, 109],
        [96, 120],
        [97, 124],
      ],
      [109, 120, 124],
    ],
    [
      'H264',
      { mimeType: 'video/H264', profile: '42e01f' },
      [
        [111, 100],
        [108, 97],
        [109, 98],
      ],
      [100, 97, 98],
    ],
    ['AV1', { mimeType: 'video/AV1' }, [[45, 99]], [111, 99, undefined]],
  ])('decodes %s with an offer of other payload types', async (name, choice, renumbered, wanted) => {
    const tracks = await publish(`publisher of ${name}`, choice);
    const { sent, answer } = await view(`${name} by other numbers`, tracks, renumbered);
    const numbers = ['audio', 'video'].map(kind => sent.find(one => one.kind === kind)?.rtpParameters.codecs ?? []);
    const [[audio], [video, rtx]] = numbers as [[RtpCodec], [RtpCodec, RtpCodec?]];
    expect([audio.payloadType, video.payloadType, rtx?.payloadType]).toEqual(wanted);
    expect(answer).toContain(`m=audio 9 UDP/TLS/RTP/SAVPF ${wanted[0]}\r\n`);
    await decodes(`${name} by other numbers`);
    // The same payload types again: the room has the copies of the tracks already.
    await view(`${name} once more`, tracks, renumbered);
    await decodes(`${name} once more`);
  });

  // The browser sends its better layers only once it believes in the bandwidth, which takes a while.
  it('plays the selected simulcast layer', async () => {
    const name = 'viewer of layers';
    const layers = ['q', 'h', 'f'].map((rid, index) => ({ rid, scaleResolutionDownBy: 4 / 2 ** index }));
    const tracks = await publish('publisher of layers', { mimeType: 'video/VP8', layers });
    expect(tracks.find(({ kind }) => kind === 'video')?.encodingIDs).toEqual(['q', 'h', 'f']);
    const { sent } = await view(name, tracks);
    const video = sent.find(({ kind }) => kind === 'video');
    expect(video?.layers).toEqual({ spatial: 3, temporal: 3 });
    const arrived = new EventLog<PreferredLayers | undefined>();
    video?.onLayersChange(arrived.add);
    for (const [spatialLayer, width] of [
      [0, 160],
      [1, 320],
      [0, 160],
    ] as const) {
      const isWanted = (now?: PreferredLayers) => now?.spatialLayer === spatialLayer;
      const told = isWanted(arrived.all.at(-1)) || arrived.next(isWanted);
      await video?.prefer({ spatialLayer });
      await told;
      const what = `the layer of width ${width} to be shown`;
      await waitFor(async () => (await page.decoded(name)).width === width, { what });
    }
    await video?.prefer(undefined);
    await waitFor(async () => (await page.decoded(name)).width > 160, { what: 'a better layer' });
  });

  it('decodes H264 High of an encoder without feedback, and reports its health', async () => {
    let tracks: PublishedTrack[] = [];
    const transport = await room.openPublisher();
    const server = createServer((request, response) => {
      void textOf(request)
        .then(offer => acceptPublisher(transport, offer))
        .then(published => {
          tracks = published.tracks;
          response.writeHead(201, { location: '/session' }).end(published.answer);
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const encoder = await EncoderPublisher.publish({ url, token: 'none', profile: 'high' });
    try {
      await receiving(tracks);
      const health = new EventLog<HealthCode[]>();
      tracks.find(({ kind }) => kind === 'video')?.onHealthChange(health.add);
      const { sent } = await view('High', tracks);
      expect(sent.find(({ kind }) => kind === 'video')?.rtpParameters.codecs[0]?.payloadType).toBe(102);
      await decodes('High');
      // The list may hold more codes until FFmpeg sends evenly.
      await health.find(codes => codes.join() === 'no_keyframe_requests');
    } finally {
      await encoder.vanish();
      server.close();
    }
  });

  it('detects the start and end of silence by audio levels despite full packets', async () => {
    const transport = await room.openPublisher();
    const name = 'constant bit rate';
    const { answer, tracks } = await acceptPublisher(
      transport,
      await page.offerToPublish(name, { mimeType: 'video/VP8' }),
    );
    await page.listen(name, false);
    await page.answer(name, answer.replace(/^(a=fmtp:111 .*)$/m, '$1;cbr=1;maxaveragebitrate=64000'));
    const health = new EventLog<HealthCode[]>();
    tracks.find(({ kind }) => kind === 'audio')?.onHealthChange(health.add);
    await health.find(codes => codes.includes('silence'));
    const speaks = health.next(codes => !codes.includes('silence'));
    await page.listen(name, true);
    // On a busy machine the list may hold other codes.
    expect(await speaks).not.toContain('silence');
  });

  it('continues decoding when a publisher reconnects', async () => {
    const first = await publish('first publisher', { mimeType: 'video/VP8' });
    const { transport, capabilities } = await view('patient viewer', first);
    await decodes('patient viewer');
    for (const track of first) await track.close();
    const second = await publish('second publisher', { mimeType: 'video/VP8' });
    for (const section of capabilities) {
      const track = second.find(({ kind }) => kind === section.kind);
      if (track) await transport.send(track, section);
    }
    await transport.start();
    const { frames } = await page.decoded('patient viewer');
    await decodes('patient viewer');
    expect((await page.decoded('patient viewer')).frames).toBeGreaterThan(frames);
  });
});

describeMembers('MediasoupEngine with mediasoup-client in Chromium', {
  start: options => startMediasoup({ ...options, clock: systemClock }),
  openDriver: () => ChromiumMemberDriver.open(),
  killWorker: killMediasoupWorker,
});
