import { z } from 'zod';
import { Dto } from '../../platform/http/dto.js';
import { oneOf, text } from '../../platform/http/fields.js';
import { ingestProtocols } from '../resources/external-session.entity.js';
import { mediaKindList } from '../resources/end-media.dto.js';

export const externalSessionFields = {
  displayName: text(1, 64).meta({ description: 'Name of the publisher.', examples: ['Stage camera'] }),
};

export const ingestFields = {
  protocol: oneOf(ingestProtocols).describe('`whip` for encoders, `service-webrtc` for the client SDK.'),
  tracks: mediaKindList.describe('Kinds of media that the publisher may send.'),
};

export class CreateExternalSessionDto extends Dto({
  ...externalSessionFields,
  ingest: z
    .strictObject(ingestFields, { error: 'must be an object with protocol and tracks.' })
    .describe('How the publisher sends media.'),
}) {}

/** `action` alone. */
export class RenewTokenDto extends Dto({}) {}

/** `action` alone. */
export class TrackActionDto extends Dto({}) {}
