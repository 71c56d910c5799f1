/** @weight 0.2 */
import { systemClock } from '@rtms/clock';
import type { PreferredLayers } from '@rtms/contracts';
import { EventLog, ManualClock, waitFor } from '@rtms/testing';
import { WhipPublisher } from '@rtms/whip-publisher';
import ndc, { type Track } from 'node-datachannel';
import type { PublishedTrack, SentTrack } from '../media-engine.js';
import { becomes, receives } from '../testing/media-scene.js';
import { startMediasoup } from '../testing/mediasoup-under-test.js';
import { acceptPublisher, acceptViewer } from '../testing/negotiate.js';
import { RtpSource, vp8Payload } from '../testing/rtp-source.js';
import type { MediasoupEngine } from './mediasoup-engine.js';
import type { MediasoupRoom } from './mediasoup-room.js';

const layers = ['video', 'half'] as const;

type ArrivedLayers = EventLog<PreferredLayers | undefined>;

describe('a viewer without measured bandwidth', () => {
  const clock = new ManualClock();
  let engine: MediasoupEngine;
  let room: MediasoupRoom;
  let publisher: WhipPublisher;
  let viewer: InstanceType<typeof ndc.PeerConnection>;
  let sending: NodeJS.Timeout | undefined;
  let tracks: PublishedTrack[] = [];

  beforeAll(async () => {
    engine = await startMediasoup({ workers: 1, clock });
    room = await engine.openRoom('room');
    const transport = await room.openPublisher();
    const accept: typeof fetch = async (_url, init) => {
      const { answer, tracks: published } = await acceptPublisher(transport, init?.body as string);
      tracks = published;
      return new Response(answer, { status: 201, headers: { location: '/session' } });
    };
    publisher = new WhipPublisher({
      clock: systemClock,
      kinds: ['video'],
      videoCodec: 'vp8',
      layers: layers.length,
      fetch: (url, init) => accept(url, init),
    });
    await publisher.connect({ url: 'http://127.0.0.1/whip' });
    sendMedia();
    let isReceiving = false;
    void Promise.all(tracks.map(receives)).then(() => (isReceiving = true));
    const compared = async () => {
      await clock.advance(500);
      return isReceiving;
    };
    await waitFor(compared, { what: 'the engine to know the order of the layers' });
  });

  afterAll(async () => {
    clearInterval(sending);
    viewer?.close();
    publisher?.close();
    await engine?.close();
    ndc.cleanup();
  });

  /** Both layers have a keyframe each fifth of a second. Their reports tell the same time. */
  function sendMedia(): void {
    const begunAt = systemClock.now();
    const sources = layers.map((name, ssrc) => {
      const source = new RtpSource({ payloadType: 106, ssrc, clockRate: 90_000, packetsPerSecond: 50 });
      return { name, source };
    });
    let picture = 0;
    sending = setInterval(() => {
      for (const { name, source } of sources) {
        const packet = source.next(vp8Payload(picture % 10 === 0));
        publisher.send(name, name === 'video' ? Buffer.concat([packet, Buffer.alloc(600)]) : packet);
        publisher.report(name, { ntpMs: begunAt + picture * 20, rtpTimestamp: packet.readUInt32BE(4) });
      }
      picture++;
    }, 20);
  }

  async function view(): Promise<{ track: Track; sent: SentTrack; packets: EventLog<number>; arrived: ArrivedLayers }> {
    viewer = new ndc.PeerConnection('viewer', { iceServers: [], forceMediaTransport: true });
    const section = new ndc.Video('0', 'RecvOnly');
    section.addVP8Codec(96);
    const track = viewer.addTrack(section);
    const packets = new EventLog<number>();
    track.onMessage(packet => packets.add(packet.length));
    const gathered = new EventLog<string>();
    viewer.onGatheringStateChange(gathered.add);
    viewer.setLocalDescription('offer');
    await gathered.find(state => state === 'complete');
    const transport = await room.openViewer();
    const { answer, sent } = await acceptViewer(transport, viewer.localDescription()?.sdp ?? '', tracks);
    viewer.setRemoteDescription(answer, 'answer');
    const arrived: ArrivedLayers = new EventLog();
    sent[0]!.onLayersChange(arrived.add);
    await becomes(transport, 'connected');
    await transport.start();
    return { track, sent: sent[0]!, packets, arrived };
  }

  it('receives a lower simulcast layer when it reports loss', async () => {
    const { track, sent, packets, arrived } = await view();
    const ssrc = sent.rtpParameters.encodings[0]?.ssrc ?? 0;
    await arrived.find(layer => layer?.spatialLayer === 1);
    const before = arrived.length;
    let lost = 0;
    const hasFallen = async () => {
      await packets.atLeast(packets.length + 20);
      track.sendMessageBinary(receiverReport(ssrc, (lost += 15)));
      await clock.advance(2_000);
      return arrived.all.slice(before).some(layer => layer?.spatialLayer === 0);
    };
    await waitFor(hasFallen, { what: 'the lower layer' });
  });
});

/** RFC 3550 section 6.4.2, with one report block. */
function receiverReport(ssrc: number, lost: number): Buffer {
  const report = Buffer.alloc(32);
  report.writeUInt8(0x81, 0);
  report.writeUInt8(201, 1);
  report.writeUInt16BE(7, 2);
  report.writeUInt32BE(1, 4);
  report.writeUInt32BE(ssrc, 8);
  report.writeUInt32BE(lost, 12);
  return report;
}
