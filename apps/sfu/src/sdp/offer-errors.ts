import { ServiceError } from '@rtms/contracts';

/** It is not SDP. */
export function malformed(message: string): ServiceError {
  return new ServiceError('malformed_sdp', message);
}

/** It is SDP, but not an offer that can be taken whole. */
export function unacceptable(message: string): ServiceError {
  return new ServiceError('unacceptable_offer', message);
}
