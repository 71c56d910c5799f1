// A room on mediasoup alone, as a reference for the service. Takes the media commands of the room's socket as
// POST /<member>; sends its address to its parent.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kindOfSource, type SocketCommand, type SocketCommandName, type SocketCommands } from '@rtms/contracts';
import * as mediasoup from 'mediasoup';
import type { types } from 'mediasoup';

type Request<Name extends SocketCommandName> = SocketCommands[Name]['request'];
type Handlers = { [Name in SocketCommandName]?: (request: Request<Name>) => Promise<unknown> };

const worker = await mediasoup.createWorker({ logLevel: 'error' });
const webRtcServer = await worker.createWebRtcServer({ listenInfos: [{ protocol: 'udp', ip: '127.0.0.1' }] });
let router = await createRouter();
const transports = new Map<string, types.WebRtcTransport>();
const consumers = new Map<string, types.Consumer>();

function createRouter(): Promise<types.Router> {
  return worker.createRouter({
    mediaCodecs: [
      { kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2, preferredPayloadType: 111 },
      { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000, preferredPayloadType: 96 },
    ],
  });
}

function find<Value>(map: Map<string, Value>, id: string): Value {
  const value = map.get(id);
  if (value === undefined) throw new Error(`There is no ${id}.`);
  return value;
}

const handlers: Handlers = {
  async 'media.open'() {
    return { routerRtpCapabilities: router.rtpCapabilities };
  },
  async 'media.openTransport'() {
    const transport = await router.createWebRtcTransport({ webRtcServer });
    transports.set(transport.id, transport);
    const { id: transportID, iceParameters, iceCandidates, dtlsParameters } = transport;
    return { transportID, iceParameters, iceCandidates, dtlsParameters };
  },
  async 'media.connectTransport'({ transportID, dtlsParameters }) {
    await find(transports, transportID).connect({ dtlsParameters: dtlsParameters as unknown as types.DtlsParameters });
    return {};
  },
  async 'media.publish'({ transportID, source, rtpParameters }) {
    const parameters = rtpParameters as unknown as types.RtpParameters;
    const transport = find(transports, transportID);
    return { trackID: (await transport.produce({ kind: kindOfSource(source), rtpParameters: parameters })).id };
  },
  async 'media.subscribe'({ transportID, trackID, rtpCapabilities }) {
    const options = { producerId: trackID, rtpCapabilities: rtpCapabilities as types.RtpCapabilities, paused: true };
    const consumer = await find(transports, transportID).consume(options);
    consumers.set(consumer.id, consumer);
    return { subscriptionID: consumer.id, trackID, kind: consumer.kind, rtpParameters: consumer.rtpParameters };
  },
  async 'media.updateSubscription'({ subscriptionID }) {
    await find(consumers, subscriptionID).resume();
    return {};
  },
  /** The last member closes the room, so that it does not distort the next window. */
  async leave() {
    router.close();
    router = await createRouter();
    transports.clear();
    consumers.clear();
    return {};
  },
};

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const command = JSON.parse(Buffer.concat(chunks).toString()) as Omit<SocketCommand, 'commandID'>;
  const handle = handlers[command.name] as ((given: unknown) => Promise<unknown>) | undefined;
  if (!handle) throw new Error(`A bare room knows no ${command.name}.`);
  return handle(command.request);
}

const server = createServer((request, response) => {
  answerTo(request)
    .then(answer => response.writeHead(200).end(JSON.stringify(answer)))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.on('disconnect', () => process.exit(0));
