import type { OpenedMemberTransport, SocketCommands, TrackSource } from '@rtms/contracts';
import type { types } from 'mediasoup-client';
import type { MediaDevice, MediaPorts } from './media-ports.js';
import { TransportRecovery } from './transport-recovery.js';

export type MediaLimits = Pick<SocketCommands['media.open']['reply'], 'maxHeight' | 'maxBitrate'>;

/** A member's media from opening to loss: a device, and one transport per direction, opened on first use. */
export class OpenMedia {
  private sending: Promise<types.Transport> | undefined;
  private receiving: Promise<types.Transport> | undefined;
  private readonly transports: types.Transport[] = [];
  private isOver = false;

  private constructor(
    private readonly ports: MediaPorts,
    private readonly device: MediaDevice,
    readonly limits: MediaLimits,
    private readonly onLost: (media: OpenMedia) => void,
  ) {}

  static async open(ports: MediaPorts, onLost: (media: OpenMedia) => void): Promise<OpenMedia> {
    const { routerRtpCapabilities, maxHeight, maxBitrate } = await ports.send('media.open', {});
    const device = ports.createDevice();
    await device.load({ routerRtpCapabilities: routerRtpCapabilities });
    return new OpenMedia(ports, device, { maxHeight, maxBitrate }, onLost);
  }

  get isClosed(): boolean {
    return this.isOver;
  }

  get rtpCapabilities(): types.RtpCapabilities {
    return this.device.recvRtpCapabilities;
  }

  sendTransport(): Promise<types.Transport> {
    this.sending ??= this.openTransport('send').catch((error: unknown) => {
      this.sending = undefined;
      throw error;
    });
    return this.sending;
  }

  receiveTransport(): Promise<types.Transport> {
    this.receiving ??= this.openTransport('receive').catch((error: unknown) => {
      this.receiving = undefined;
      throw error;
    });
    return this.receiving;
  }

  close(): void {
    this.isOver = true;
    for (const transport of this.transports.splice(0)) transport.close();
  }

  private async openTransport(direction: 'send' | 'receive'): Promise<types.Transport> {
    const options = this.optionsOf(await this.ports.send('media.openTransport', { direction }));
    const transport =
      direction === 'send' ? this.device.createSendTransport(options) : this.device.createRecvTransport(options);
    this.transports.push(transport);
    if (this.isOver) this.close();
    transport.on('connect', ({ dtlsParameters }, done, fail) => {
      const request = { transportID: transport.id, dtlsParameters: { ...dtlsParameters } };
      this.ports.send('media.connectTransport', request).then(done, fail);
    });
    transport.on('produce', ({ rtpParameters, appData }, done, fail) => {
      const source = appData['source'] as TrackSource;
      const request = { transportID: transport.id, source, rtpParameters: { ...rtpParameters } };
      this.ports.send('media.publish', request).then(({ trackID }) => done({ id: trackID }), fail);
    });
    new TransportRecovery(transport, this.ports.send, this.ports.clock, () => this.onLost(this));
    return transport;
  }

  private optionsOf(parameters: OpenedMemberTransport): types.TransportOptions {
    const { transportID, iceParameters, iceCandidates, dtlsParameters, iceServers = [] } = parameters;
    return {
      id: transportID,
      iceParameters: iceParameters as unknown as types.IceParameters,
      iceCandidates: iceCandidates as unknown as types.IceCandidate[],
      dtlsParameters: dtlsParameters as unknown as types.DtlsParameters,
      iceServers,
    };
  }
}
