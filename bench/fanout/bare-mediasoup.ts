// WHIP and WHEP on mediasoup alone, as a reference for the service. Sends its address to its parent.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as mediasoup from 'mediasoup';
import type { types } from 'mediasoup';
import type { RtpCodec } from '@rtms/contracts';
import {
  type AnsweredSection,
  answeredSetup,
  buildAnswer,
  remoteDtlsRole,
} from '../../apps/sfu/src/signalling/sdp/build-answer.js';
import { parseOffer } from '../../apps/sfu/src/signalling/sdp/parse-offer.js';
import type { OfferedSection, SessionOffer } from '../../apps/sfu/src/signalling/sdp/session-offer.js';

const worker = await mediasoup.createWorker({ logLevel: 'error' });
const webRtcServer = await worker.createWebRtcServer({ listenInfos: [{ protocol: 'udp', ip: '127.0.0.1' }] });
// The unused audio codec takes numbers, so that the RTX of H264 gets 109 and that of VP8 gets 97.
const taken = Array.from({ length: 28 }, (_, index) => 100 + index).filter(number => ![108, 109, 111].includes(number));
const router = await worker.createRouter({
  mediaCodecs: [
    { kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2, preferredPayloadType: 111 },
    ...taken.map(number => ({
      kind: 'audio' as const,
      mimeType: 'audio/CN',
      clockRate: 8_000,
      preferredPayloadType: number,
    })),
    {
      ...{ kind: 'video', mimeType: 'video/H264', clockRate: 90_000, preferredPayloadType: 108 },
      parameters: { 'packetization-mode': 1, 'profile-level-id': '42e01f', 'level-asymmetry-allowed': 1 },
    },
    { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000, preferredPayloadType: 96 },
  ],
});
const producers: types.Producer[] = [];
/** By their locations. */
const transports = new Map<string, types.WebRtcTransport>();

interface Created {
  location: string;
  body: string;
}

function created(transport: types.WebRtcTransport, body: string): Created {
  const location = `/${transport.id}`;
  transports.set(location, transport);
  return { location, body };
}

async function connect(transport: types.WebRtcTransport, { setup, fingerprints }: SessionOffer): Promise<void> {
  const dtlsParameters = { role: remoteDtlsRole(setup), fingerprints: fingerprints as types.DtlsFingerprint[] };
  await transport.connect({ dtlsParameters });
}

function answer(transport: types.WebRtcTransport, offer: SessionOffer, sections: AnsweredSection[]): string {
  const { usernameFragment, password } = transport.iceParameters;
  const candidates = transport.iceCandidates.map(({ foundation, priority, address, port, protocol }) => ({
    ...{ foundation, priority, address, port, protocol },
  }));
  const { fingerprints } = transport.dtlsParameters;
  const ice = { usernameFragment, password, candidates };
  return buildAnswer(sections, { ice, fingerprints, setup: answeredSetup(offer.setup) });
}

async function whip(offer: SessionOffer): Promise<Created> {
  const transport = await router.createWebRtcTransport({ webRtcServer });
  for (const { kind, mid, codecs, ssrc } of offer.sections) {
    const rtpParameters = { mid, codecs, encodings: [ssrc === undefined ? {} : { ssrc }] } as types.RtpParameters;
    producers.push(await transport.produce({ kind, rtpParameters }));
  }
  await connect(transport, offer);
  const sections = offer.sections.map(section => ({
    section,
    direction: 'recvonly' as const,
    codecs: section.codecs,
    headerExtensions: [],
  }));
  return created(transport, answer(transport, offer, sections));
}

async function whep(offer: SessionOffer): Promise<Created> {
  const transport = await router.createWebRtcTransport({ webRtcServer });
  const sections: AnsweredSection[] = [];
  const consumers: types.Consumer[] = [];
  for (const section of offer.sections) {
    const producer = producers.find(({ kind }) => kind === section.kind);
    if (!producer) throw new Error(`There is no ${section.kind}.`);
    const rtpCapabilities = toCapabilities(section);
    const consumer = await transport.consume({ producerId: producer.id, rtpCapabilities, paused: true });
    consumers.push(consumer);
    sections.push(answered(section, consumer));
  }
  transport.on('dtlsstatechange', state => {
    if (state === 'connected') for (const consumer of consumers) void consumer.resume();
  });
  await connect(transport, offer);
  return created(transport, answer(transport, offer, sections));
}

function toCapabilities({ kind, codecs }: OfferedSection): types.RtpCapabilities {
  return { codecs: codecs.map(codec => ({ ...codec, kind, preferredPayloadType: codec.payloadType })) };
}

function answered(section: OfferedSection, { rtpParameters }: types.Consumer): AnsweredSection {
  const [encoding] = rtpParameters.encodings ?? [];
  const codecs = rtpParameters.codecs as RtpCodec[];
  const ssrc = { media: encoding?.ssrc ?? 0, rtx: encoding?.rtx?.ssrc, cname: 'bare' };
  return { section, direction: 'sendonly', codecs, headerExtensions: [], ssrc };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const server = createServer((request, response) => {
  if (request.method === 'DELETE') {
    // The worker would still send to a closed viewer, and distort the next window. It would answer 401 to a new peer with the
    // port of a closed one.
    transports.get(request.url ?? '')?.close();
    transports.delete(request.url ?? '');
    response.end();
    return;
  }
  textOf(request)
    .then(text => (request.url === '/whip' ? whip : whep)(parseOffer(text)))
    .then(({ location, body }) => response.writeHead(201, { location }).end(body))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.on('disconnect', () => process.exit(0));
