import { EventEmitter } from 'node:events';
import type { types } from 'mediasoup-client';
import type { MediaDevice } from '../media/media-ports.js';

class FakeEnd extends EventEmitter {
  readonly observer = new EventEmitter();
  closed = false;

  constructor(readonly id: string) {
    super();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.observer.emit('close');
  }
}

export class FakeProducer extends FakeEnd {
  paused = false;

  constructor(
    id: string,
    readonly options: types.ProducerOptions,
  ) {
    super(id);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  get track(): MediaStreamTrack | null {
    return this.options.track ?? null;
  }

  async replaceTrack({ track }: { track: MediaStreamTrack }): Promise<void> {
    await Promise.resolve();
    if (this.closed) throw new Error('the queue was stopped');
    this.options.track = track;
  }
}

export class FakeConsumer extends FakeEnd {
  paused = false;
  readonly track = fakeTrack();

  constructor(
    id: string,
    readonly kind: types.MediaKind,
  ) {
    super(id);
  }

  async getStats(): Promise<RTCStatsReport> {
    if (this.closed) throw new Error('closed');
    return new Map();
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

/** Exchanges parameters with the server as mediasoup-client does, but sends no media. */
export class FakeTransport extends FakeEnd {
  readonly producers: FakeProducer[] = [];
  readonly consumers: FakeConsumer[] = [];
  iceRestarts = 0;
  /** The servers of each restart. */
  readonly iceServers: RTCIceServer[][] = [];
  /** The browser's part of consuming. It never settles in a connection that closes meanwhile. */
  consuming: () => Promise<void> = () => Promise.resolve();

  constructor(
    readonly options: types.TransportOptions,
    readonly direction: 'send' | 'receive',
  ) {
    super(options.id);
  }

  async produce(options: types.ProducerOptions): Promise<FakeProducer> {
    const { id } = await this.ask<{ id: string }>('produce', {
      kind: options.track?.kind,
      rtpParameters: { codecs: [], encodings: options.encodings },
      appData: options.appData,
    });
    if (this.closed) throw new Error('the transport is closed');
    const producer = new FakeProducer(id, options);
    this.producers.push(producer);
    return producer;
  }

  async consume({ id, kind }: types.ConsumerOptions): Promise<FakeConsumer> {
    if (this.closed) throw new Error('the transport is closed');
    await this.consuming();
    const consumer = new FakeConsumer(id, kind);
    this.consumers.push(consumer);
    return consumer;
  }

  async updateIceServers({ iceServers = [] }: { iceServers?: RTCIceServer[] }): Promise<void> {
    this.iceServers.push(iceServers);
  }

  async restartIce(): Promise<void> {
    this.iceRestarts += 1;
  }

  becomes(state: types.ConnectionState): void {
    this.emit('connectionstatechange', state);
  }

  override close(): void {
    super.close();
    for (const end of [...this.producers, ...this.consumers]) end.close();
  }

  private ask<Reply>(event: string, request: unknown): Promise<Reply> {
    return new Promise((resolve, reject) => this.emit(event, request, resolve, reject));
  }
}

/** Creates devices and lists them in the order of their creation. */
export class FakeDevices {
  readonly transports: FakeTransport[] = [];

  readonly create = (): MediaDevice => {
    const open = (direction: 'send' | 'receive') => (options: types.TransportOptions) => {
      const transport = new FakeTransport(options, direction);
      this.transports.push(transport);
      return transport as unknown as types.Transport;
    };
    const device = {
      recvRtpCapabilities: { codecs: [] },
      load: () => Promise.resolve(),
      createSendTransport: open('send'),
      createRecvTransport: open('receive'),
    };
    return device as unknown as MediaDevice;
  };

  /** The newest transport of a direction. */
  transport(direction: 'send' | 'receive'): FakeTransport {
    const found = this.transports.filter(each => each.direction === direction).at(-1);
    if (!found) throw new Error(`no transport to ${direction}`);
    return found;
  }
}

export function fakeTrack(kind: 'audio' | 'video' = 'video', width = 1280, height = 720): MediaStreamTrack {
  return { kind, getSettings: () => (kind === 'video' ? { width, height } : {}) } as unknown as MediaStreamTrack;
}
