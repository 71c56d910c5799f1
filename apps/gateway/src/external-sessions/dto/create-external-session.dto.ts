import type { MediaKind } from '@rtms/contracts';
import { IsDefined, IsIn, Length, Matches } from 'class-validator';
import { IsNested } from '../../fields/nested.decorator.js';
import { IsMediaKinds } from '../../media/media-kinds.decorator.js';

const displayNameRule = { message: 'displayName must be text of 1 to 64 characters.' };
const ingestRule = { message: 'ingest must be an object with protocol and tracks.' };

export const ingestProtocols = ['whip', 'service-webrtc'] as const;
export type IngestProtocol = (typeof ingestProtocols)[number];

export class IngestDto {
  @IsIn(ingestProtocols, { message: `protocol must be one of: ${ingestProtocols.join(', ')}.` })
  protocol!: IngestProtocol;

  @IsMediaKinds()
  tracks!: MediaKind[];
}

export class CreateExternalSessionDto {
  @Matches(/\S/, displayNameRule)
  @Length(1, 64, displayNameRule)
  displayName!: string;

  @IsNested(() => IngestDto, ingestRule)
  @IsDefined(ingestRule)
  ingest!: IngestDto;
}
