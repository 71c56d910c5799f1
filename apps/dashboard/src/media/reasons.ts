import type { EndReason, IngestProblem, SlateProblem } from '@rtms/contracts';
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

/** Why the encoder of a session was refused or dropped, or could not be called, and the remedy. */
export const problemTexts: Readonly<Record<IngestProblem, string>> = {
  wrong_passphrase: 'The passphrase is wrong. Copy it again, or replace the secret.',
  key_expired: 'Nobody published in time, so the secret has expired. Replace it.',
  already_publishing: 'Another encoder publishes the session. Stop it first.',
  no_media: 'The encoder sends neither audio nor video that the service understands.',
  track_missing: 'The encoder does not send all tracks of the session.',
  codec_unsupported: 'The codec is not supported. Send H.264 and AAC; HEVC only by SRT.',
  source_too_large: 'The picture is larger than your plan allows. Send H.264, or a smaller picture.',
  capacity_reached: 'The ingest node has no free place. An administrator can add ingest nodes.',
  conversion_failed: 'The conversion of the media failed. The log of the ingest node says why.',
  host_not_found: 'The host of the encoder has no address. Create a session with another address.',
  address_not_allowed: 'The encoder has a private address, which the platform does not allow.',
  encoder_unreachable: 'Nobody answers by SRT at the address. Check the port and the firewall of the encoder.',
  encoder_refused: 'The encoder refuses the call. Check the stream ID, and whether the encoder is in use.',
};

/** Why a broadcast shows the last picture instead of its image while its source is lost. */
export const slateTexts: Readonly<Record<SlateProblem, string>> = {
  image_unreachable: 'The image for a lost source could not be loaded.',
  address_not_allowed: 'The image for a lost source has a private address, which the platform does not allow.',
  image_too_large: 'The image for a lost source is too large.',
  image_unsupported: 'The image for a lost source is neither JPEG nor PNG.',
};
