import { ServiceError, type MediaKind } from '@rtms/contracts';

/** Throws when the source does not send something that is wanted of it. */
export function requireKinds(wanted: readonly MediaKind[], sent: readonly MediaKind[]): void {
  const missing = wanted.filter(kind => !sent.includes(kind));
  if (missing.includes('video')) throw new ServiceError('source_has_no_video', 'The source session sends no video.');
  if (missing.includes('audio')) throw new ServiceError('source_not_active', 'The source session sends no audio.');
}
