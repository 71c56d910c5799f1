import type { EndReason } from '@rtms/contracts';
import type { ApiRecord } from '../api/resource.js';

/** Why media ended, as a sentence. */
export const endTexts: Readonly<Record<EndReason, string>> = {
  requested: 'It was ended on request.',
  expired: 'The time of the room was over.',
  balance_exhausted: 'The minutes of the account were used up.',
  room_ended: 'The room ended.',
  source_ended: 'Its source ended.',
  publisher_left: 'The publisher stopped.',
  publisher_lost: 'The publisher was lost and did not come back in time.',
  viewer_left: 'The last viewer left.',
  viewer_lost: 'The last viewer was lost and did not come back in time.',
  node_drained: 'Its media node was taken out of service.',
  node_lost: 'Its media node was lost, and no other node took it over in time.',
  participant_left: 'The participant left.',
  participant_removed: 'The participant was removed.',
  participant_lost: 'The participant was lost.',
  encoder_failed: 'The encoder failed.',
  source_codec_unsupported: 'The codec of the source is not supported.',
  source_too_large: 'The picture of the source is larger than your plan allows.',
  max_duration_reached: 'It reached its maximum length.',
  pauses_exceeded: 'The source was lost too often.',
  nothing_recorded: 'No media arrived.',
  recorder_failed: 'The recorder failed.',
  target_refused: 'The target refused the stream. The key may be wrong.',
  target_unreachable: 'The target could not be reached.',
  target_not_allowed: 'The target has a private address, which the platform does not allow.',
};

export type SessionEvent = ApiRecord<'SessionHistory'>['events'][number];

/** Why a session waits for its publisher, as a sentence. */
export const pendingTexts: Partial<Record<NonNullable<SessionEvent['reason']>, string>> = {
  publisher_lost: 'No media arrives from the publisher. It may come back within the grace time.',
  worker_lost: 'The media worker failed. The publisher may connect again.',
  node_draining: 'Its media node is taken out of service. The publisher connects to another node.',
  node_lost: 'Its media node was lost. The publisher may connect to another node.',
};
