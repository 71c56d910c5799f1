import type { Operation, ParticipantRole } from '@rtms/contracts';
import { IsIn, IsOptional } from 'class-validator';
import { Told } from '../../fields/told.decorator.js';
import { Default } from '../../fields/default.decorator.js';
import { keyTypes, type KeyType } from '../../auth/caller.js';
import { AreOperations } from '../../fields/operations.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { AreDomains, AreMeetingIDs, IsMaxRole, IsValidity } from '../key-rules.decorators.js';

export class CreateDisposableKeyDto {
  @IsText('name', 1, 64)
  name!: string;

  @IsIn(keyTypes, { message: `type must be one of: ${keyTypes.join(', ')}.` })
  type!: KeyType;

  @IsOptional()
  @IsValidity()
  @Default(null)
  @Told('Null: the key never expires.')
  validityDays?: number | null;

  @AreOperations('operations', 1)
  operations!: Operation[];

  @IsOptional()
  @AreDomains()
  @Default(null)
  @Told('Null: the key is not narrowed to some of the hosts that its type allows.')
  domains?: string[] | null;

  @IsOptional()
  @AreMeetingIDs()
  @Default(null)
  @Told('The only rooms that the key reaches. Null: all rooms of its environment.')
  meetingIDs?: string[] | null;

  @IsOptional()
  @IsMaxRole()
  @Default(null)
  @Told(
    'The highest role that somebody acts with by the key. Below participant, it opens no external session. Null: any role.',
  )
  maxRole?: ParticipantRole | null;
}
