import { ServiceError } from '@rtms/contracts';
import type { RtpCodec } from './rtp-parameters.js';

/** A call came after the room or connection had closed, e.g. because its media worker died meanwhile. */
export function closedError(): ServiceError {
  return new ServiceError('controller_unavailable', 'The media connection has closed. Try again.');
}

export function workersFullError(): ServiceError {
  return new ServiceError('capacity_reached', 'All media workers are full. Try again later.');
}

/** What a member's client gave cannot be used; the media worker says why. */
export function unusableParametersError(what: string, error: unknown): ServiceError {
  const reason = error instanceof Error ? error.message : 'unknown';
  return new ServiceError('invalid_request', `The ${what} cannot be used: ${reason.slice(0, 200)}`);
}

export function unreceivableError(codecs: RtpCodec[]): ServiceError {
  const names = codecs.map(codec => codec.mimeType).join(', ') || 'none';
  return unusableParametersError('rtpParameters', new Error(`codecs that cannot be received: ${names}`));
}

export function unsupportedCodecError(codecs: RtpCodec[]): ServiceError {
  const names = codecs.map(codec => codec.mimeType).join(', ') || 'no codec';
  return new ServiceError('unacceptable_offer', `The offer's codecs cannot be received: ${names}.`);
}
