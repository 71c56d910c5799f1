import type { Clock } from '@rtms/clock';
import type { SocketCommandName, SocketCommands } from '@rtms/contracts';
import type { types } from 'mediasoup-client';

/** Asks the gateway; rejects with an `RtmsError`. */
export type SendCommand = <Name extends SocketCommandName>(
  name: Name,
  request: SocketCommands[Name]['request'],
) => Promise<SocketCommands[Name]['reply']>;

/** What is used of mediasoup-client's `Device`. */
export type MediaDevice = Pick<
  types.Device,
  'load' | 'createSendTransport' | 'createRecvTransport' | 'recvRtpCapabilities'
>;

export interface MediaPorts {
  send: SendCommand;
  /** A device is loaded once: each opening of media has its own. Throws where the browser has no WebRTC. */
  createDevice: () => MediaDevice;
  clock: Clock;
  random: () => number;
}
