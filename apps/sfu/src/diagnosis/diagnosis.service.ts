import { networkInterfaces } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  diagnosisSeconds,
  type EndpointTrial,
  type MediaEndpoint,
  type SfuDiagnosis,
  type Trial,
} from '@rtms/contracts';
import { tryEndpoint } from '@rtms/health';
import { messageOf } from '@rtms/logging';
import type { MediaEngine, MediaRoom, PeerTransport } from '../media/media-engine.js';
import type { SfuConfig } from '../sfu.config.js';
import { CLOCK, MEDIA_ENGINE, SFU_CONFIG } from '../sfu.tokens.js';
import { shakeHands } from './dtls-handshake.js';

/** The trials that a node runs on itself when an administrator asks how it is. */
@Injectable()
export class Diagnosis implements Closeable {
  private readonly open = new Map<MediaRoom, Timer>();

  constructor(
    @Inject(SFU_CONFIG) private readonly config: SfuConfig,
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The endpoints answer for `diagnosisSeconds`; then nothing of it is left. */
  async diagnose(): Promise<SfuDiagnosis> {
    const rooms = await this.engine.openOnEachWorker();
    for (const room of rooms) this.closeLater(room);
    const transports = await Promise.all(rooms.map(room => room.openPublisher()));
    const machineAddresses = Object.values(networkInterfaces())
      .flatMap(entries => entries ?? [])
      .filter(({ internal }) => !internal)
      .map(({ address }) => address);
    const handshake = await this.handshakes(rooms);
    const endpoints = transports.flatMap(endpointsOf);
    return { measuredAt: new Date(this.clock.now()).toISOString(), handshake, machineAddresses, endpoints };
  }

  async tryAll(endpoints: readonly MediaEndpoint[]): Promise<EndpointTrial[]> {
    return Promise.all(endpoints.map(endpoint => tryEndpoint(endpoint, this.clock)));
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

  private async handshake(room: MediaRoom): Promise<void> {
    const transport = await room.openPublisher();
    try {
      await shakeHands(transport, this.ownAddress, this.clock);
    } finally {
      await transport.close();
    }
  }

  /** Where this machine itself reaches its media workers. */
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
