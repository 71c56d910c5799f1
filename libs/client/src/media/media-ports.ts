import type { Clock } from '@rtms/clock';
import type { SocketCommandName, SocketCommands } from '@rtms/contracts';
import type { types } from 'mediasoup-client';
import type { RtmsError } from '../signalling/rtms-error.js';
import type { OpenMedia } from './open-media.js';

/** Sends a command to the gateway. Rejects with an `RtmsError`. */
export type SendCommand = <Name extends SocketCommandName>(
  name: Name,
  request: SocketCommands[Name]['request'],
) => Promise<SocketCommands[Name]['reply']>;

/** The used part of mediasoup-client's `Device`. */
export type MediaDevice = Pick<
  types.Device,
  'load' | 'createSendTransport' | 'createRecvTransport' | 'recvRtpCapabilities'
>;

export interface MediaPorts {
  send: SendCommand;
  /** Each opening of media needs a new device. Throws if the browser has no WebRTC. */
  createDevice: () => MediaDevice;
  clock: Clock;
  random: () => number;
}

/** A published track or a subscription. It outlives a loss of the transports. */
export interface MediaItem {
  readonly isEnded: boolean;
  /** Starts on this media unless it has already started there. */
  establish(media: OpenMedia): Promise<void>;
  /** Ends the item, but not by its owner's command. */
  end(error?: RtmsError): void;
}
