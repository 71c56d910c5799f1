import { Dto, optional } from '../../platform/http/dto.js';
import { idOf, oneOf } from '../../platform/http/fields.js';
import { mediaKindList } from '../resources/end-media.dto.js';

const payloadMatchings = ['fixed', 'adaptive'] as const;

export const playbackFields = {
  tracks: mediaKindList.describe('Kinds of media that the player receives.'),
  payloadMatching: oneOf(payloadMatchings).describe(
    '`fixed`: an offer must use the payload types of payloadProfile. `adaptive`: the answer follows the offer.',
  ),
};

const { tracks, payloadMatching } = playbackFields;

export class CreatePlaybackDto extends Dto({
  sourceSessionID: idOf('an external session').describe('An active external session of the room.'),
  tracks,
  ...optional({ payloadMatching }, { payloadMatching: 'fixed' }),
}) {}
