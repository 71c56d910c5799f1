import type { MediaKind } from '@rtms/contracts';
import { IsIn, IsOptional, Length } from 'class-validator';
import { Default } from '../../fields/default.decorator.js';
import { IsMediaKinds } from '../../media/media-kinds.decorator.js';

export const payloadMatchings = ['fixed', 'adaptive'] as const;
export type PayloadMatching = (typeof payloadMatchings)[number];

export class CreatePlaybackDto {
  @Length(1, 64, { message: 'sourceSessionID must be the identifier of an external session.' })
  sourceSessionID!: string;

  @IsMediaKinds()
  tracks!: MediaKind[];

  @IsOptional()
  @IsIn(payloadMatchings, { message: `payloadMatching must be one of: ${payloadMatchings.join(', ')}.` })
  @Default('fixed')
  payloadMatching?: PayloadMatching | null;
}
