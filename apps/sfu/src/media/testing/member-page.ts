// The page in which members of a room publish and subscribe with mediasoup-client; the test does their signalling.
import type { MemberTransportParameters, RtpDescription, SubscriptionParameters } from '@rtms/contracts';
import { Device, type types } from 'mediasoup-client';

export interface MemberSetup {
  routerRtpCapabilities: RtpDescription;
  send: MemberTransportParameters;
  receive: MemberTransportParameters;
}

export interface Reception {
  packets: number;
  frames: number;
  height: number;
}

/** The requests of the page, which the test answers. */
export interface MemberSignalling {
  connect: { request: { transportID: string; dtlsParameters: Record<string, unknown> }; reply: null };
  publish: { request: { kind: 'audio' | 'video'; rtpParameters: RtpDescription }; reply: string };
}

export interface MemberPage {
  join(name: string, setup: MemberSetup): Promise<RtpDescription>;
  publish(name: string, what: 'audio' | 'video' | 'simulcast'): Promise<string>;
  consume(name: string, parameters: SubscriptionParameters): Promise<void>;
  reception(name: string, subscriptionID: string): Promise<Reception>;
  leave(name: string): void;
}

declare global {
  var memberPage: MemberPage;
  var signal: (name: string, type: keyof MemberSignalling, request: unknown) => Promise<unknown>;
}

interface PageMember {
  device: Device;
  send: types.Transport;
  receive: types.Transport;
  consumers: Map<string, types.Consumer>;
}

const members = new Map<string, PageMember>();

function memberOf(name: string): PageMember {
  const member = members.get(name);
  if (!member) throw new Error(`${name} has not joined`);
  return member;
}

function toOptions({ transportID, ...parameters }: MemberTransportParameters): types.TransportOptions {
  return { id: transportID, ...parameters } as unknown as types.TransportOptions;
}

function follow(name: string, transport: types.Transport): types.Transport {
  transport.on('connect', ({ dtlsParameters }, done, fail) => {
    signal(name, 'connect', { transportID: transport.id, dtlsParameters }).then(() => done(), fail);
  });
  return transport;
}

const simulcast = [
  { scaleResolutionDownBy: 4, maxBitrate: 100_000, scalabilityMode: 'L1T3' },
  { scaleResolutionDownBy: 2, maxBitrate: 300_000, scalabilityMode: 'L1T3' },
  { scaleResolutionDownBy: 1, maxBitrate: 900_000, scalabilityMode: 'L1T3' },
];

/** A tone as loud as speech: the fake microphone only beeps now and then. */
async function openVoice(): Promise<MediaStream> {
  const context = new AudioContext();
  const [tone, loudness] = [new OscillatorNode(context, { frequency: 300 }), new GainNode(context, { gain: 0.5 })];
  const output = context.createMediaStreamDestination();
  tone.connect(loudness).connect(output);
  tone.start();
  await context.resume();
  return output.stream;
}

globalThis.memberPage = {
  async join(name, { routerRtpCapabilities, send, receive }) {
    const device = await Device.factory();
    await device.load({ routerRtpCapabilities });
    const sending = follow(name, device.createSendTransport(toOptions(send)));
    sending.on('produce', ({ kind, rtpParameters }, done, fail) => {
      signal(name, 'publish', { kind, rtpParameters }).then(id => done({ id: String(id) }), fail);
    });
    const receiving = follow(name, device.createRecvTransport(toOptions(receive)));
    members.set(name, { device, send: sending, receive: receiving, consumers: new Map() });
    return { ...device.recvRtpCapabilities };
  },
  async publish(name, what) {
    const isAudio = what === 'audio';
    const video = { width: 640, height: 360, frameRate: 15 };
    const stream = isAudio ? await openVoice() : await navigator.mediaDevices.getUserMedia({ video });
    const [track] = stream.getTracks();
    if (!track) throw new Error('there is no device');
    const producer = await memberOf(name).send.produce({
      track,
      ...(what === 'simulcast' && { encodings: simulcast }),
    });
    return producer.id;
  },
  async consume(name, { subscriptionID, trackID, kind, rtpParameters }) {
    const { receive, consumers } = memberOf(name);
    const parameters = rtpParameters as unknown as types.RtpParameters;
    const consumer = await receive.consume({
      id: subscriptionID,
      producerId: trackID,
      kind,
      rtpParameters: parameters,
    });
    consumers.set(subscriptionID, consumer);
    const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true });
    video.srcObject = new MediaStream([consumer.track]);
    document.body.append(video);
  },
  async reception(name, subscriptionID) {
    const result: Reception = { packets: 0, frames: 0, height: 0 };
    (await memberOf(name).consumers.get(subscriptionID)?.getStats())?.forEach((report: RTCInboundRtpStreamStats) => {
      if (report.type !== 'inbound-rtp') return;
      result.packets += report.packetsReceived ?? 0;
      result.frames += report.framesDecoded ?? 0;
      result.height = report.frameHeight ?? 0;
    });
    return result;
  },
  leave(name) {
    const { send, receive } = memberOf(name);
    send.close();
    receive.close();
    members.delete(name);
  },
};
