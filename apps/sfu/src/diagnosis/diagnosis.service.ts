import { networkInterfaces } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  diagnosisSeconds,
  type MediaEndpoint,
  sfuCommands,
  type SfuDiagnosis,
  type Trial,
  type TurnTrial,
} from '@rtms/contracts';
import { CLOCK, OnCommand } from '@rtms/node';
import { messageOf } from '@rtms/logging';
import { MEDIA_ENGINE, type MediaEngine, type MediaRoom, type PeerTransport } from '../media/media-engine.js';
import { SFU_CONFIG, type SfuConfig } from '../sfu.config.js';
import { answeredSetup, buildAnswer, remoteDtlsRole } from '../signalling/sdp/build-answer.js';
import { parseOffer } from '../signalling/sdp/parse-offer.js';
import { IceServers } from '../turn/ice-servers.js';
import { tryTurn } from '../turn/try-turn.js';

/** Tests that a node runs on itself when an administrator asks for a diagnosis. */
@Injectable()
export class DiagnosisService implements Closeable {
  private readonly open = new Map<MediaRoom, Timer>();

  constructor(
    @Inject(SFU_CONFIG) private readonly config: SfuConfig,
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly iceServers: IceServers,
  ) {}

  /** Opens test endpoints that answer ICE checks for `diagnosisSeconds`, then closes them. */
  @OnCommand(sfuCommands.diagnose)
  async diagnose(): Promise<SfuDiagnosis> {
    const rooms = await this.engine.openOnEachWorker();
    for (const room of rooms) this.closeLater(room);
    const transports = await Promise.all(rooms.map(room => room.openPublisher()));
    const machineAddresses = Object.values(networkInterfaces())
      .flatMap(entries => entries ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address }) => address);
    const endpoints = transports.flatMap(endpointsOf);
    const [handshake, turn] = await Promise.all([this.handshakes(rooms), this.turn(endpoints[0]?.address)]);
    return { measuredAt: new Date(this.clock.now()).toISOString(), handshake, machineAddresses, endpoints, turn };
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.keys()].map(room => this.closeRoom(room)));
  }

  private async handshakes(rooms: readonly MediaRoom[]): Promise<Trial> {
    const begun = this.clock.now();
    try {
      await Promise.all(rooms.map(room => this.handshake(room)));
      return { ok: true, detail: `${rooms.length} media workers, ${this.clock.now() - begun} ms` };
    } catch (error) {
      return { ok: false, detail: messageOf(error) };
    }
  }

  /** Tries each TURN URL with new credentials, as a peer that sends to `peer`. */
  private turn(peer: string | undefined): Promise<TurnTrial[]> {
    const servers = this.iceServers.mint('diagnosis');
    const attempts = servers.flatMap(({ urls, ...credentials }) => urls.map(url => ({ url, peer, ...credentials })));
    return Promise.all(attempts.map(attempt => tryTurn(attempt, this.clock)));
  }

  private async handshake(room: MediaRoom): Promise<void> {
    const transport = await room.openPublisher();
    try {
      await shakeHands(transport, this.ownAddress, this.clock);
    } finally {
      await transport.close();
    }
  }

  /** The address by which this machine reaches its own media workers. */
  private get ownAddress(): string {
    const { listenIp = '' } = this.config.media;
    return /^[0.:]*$/.test(listenIp) ? '127.0.0.1' : listenIp;
  }

  private closeLater(room: MediaRoom): void {
    this.open.set(
      room,
      this.clock.after(diagnosisSeconds * 1000, () => void this.closeRoom(room)),
    );
  }

  private async closeRoom(room: MediaRoom): Promise<void> {
    this.open.get(room)?.cancel();
    this.open.delete(room);
    await room.close();
  }
}

function endpointsOf({ ice: { usernameFragment, password, candidates } }: PeerTransport): MediaEndpoint[] {
  return candidates.map(({ protocol, address, port }) => ({ protocol, address, port, usernameFragment, password }));
}

const withinMs = 4_000;
/**
 * Native objects of the last handshakes. Threads of the library may call back after `close`. If the object has been
 * collected by then, the process crashes.
 */
const retained: object[] = [];
const mostRetained = 64;
const opus = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };

/**
 * Connects to a transport of this node with another implementation of ICE and DTLS (libdatachannel). Uses `address`, because
 * a machine often cannot reach itself by its announced address. Throws when the handshake takes longer than 4 s.
 */
async function shakeHands(transport: PeerTransport, address: string, clock: Clock): Promise<void> {
  // The library starts threads when it loads, so only a diagnosis loads it.
  const { default: ndc } = await import('node-datachannel');
  const peer = new ndc.PeerConnection('diagnosis', { iceServers: [], forceMediaTransport: true });
  try {
    const audio = new ndc.Audio('0', 'SendOnly');
    audio.addOpusCodec(opus.payloadType);
    const track = peer.addTrack(audio);
    retained.push(peer, track);
    retained.splice(0, retained.length - mostRetained);
    await inTime(clock, done => {
      peer.onGatheringStateChange(state => state === 'complete' && done());
      peer.setLocalDescription('offer');
    });
    const sdp = await answer(transport, peer.localDescription()?.sdp ?? '', address);
    await inTime(clock, done => {
      transport.onStateChange(state => state === 'connected' && done());
      peer.setRemoteDescription(sdp, 'answer');
    });
    track.close();
  } finally {
    peer.close();
  }
}

/** Resolves when `begin` calls `done`. Rejects after 4 s. */
function inTime(clock: Clock, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(withinMs, () => reject(new Error(`no handshake within ${withinMs} ms`)));
    begin(() => {
      timer.cancel();
      resolve();
    });
  });
}

async function answer(transport: PeerTransport, sdp: string, address: string): Promise<string> {
  const offer = parseOffer(sdp);
  await transport.connect({ role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints });
  const { fingerprints, ice } = transport;
  const candidates = ice.candidates
    .filter(({ protocol }) => protocol === 'udp')
    .map(candidate => ({ ...candidate, address }));
  const sections = offer.sections.map(section => ({
    section,
    direction: 'recvonly' as const,
    codecs: [{ ...opus, parameters: {}, rtcpFeedback: [] }],
    headerExtensions: [],
  }));
  return buildAnswer(sections, { ice: { ...ice, candidates }, fingerprints, setup: answeredSetup(offer.setup) });
}
