import type { Operation, ParticipantRole } from '@rtms/contracts';
import { IsOptional, Length } from 'class-validator';
import { Told } from '../../fields/told.decorator.js';
import { AreOperations } from '../../fields/operations.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { AreDomains, AreMeetingIDs, IsMaxRole, IsValidity } from '../key-rules.decorators.js';

export class UpdateDisposableKeyDto {
  @Length(1, 64, { message: 'keyID must be the identifier of a disposable key.' })
  keyID!: string;

  @IsOptional()
  @IsText('name', 1, 64)
  name?: string | null;

  /** Counted from the key's making; null: it never expires. */
  @IsOptional()
  @IsValidity()
  validityDays?: number | null;

  @IsOptional()
  @AreOperations('operations', 1)
  operations?: Operation[] | null;

  /** Null: the key is narrowed to no domains any more. */
  @IsOptional()
  @AreDomains()
  domains?: string[] | null;

  @IsOptional()
  @AreMeetingIDs()
  @Told('The only rooms that the key reaches. Null: all rooms of its environment.')
  meetingIDs?: string[] | null;

  @IsOptional()
  @IsMaxRole()
  @Told(
    'The highest role that somebody acts with by the key. Below participant, it opens no external session. Null: any role.',
  )
  maxRole?: ParticipantRole | null;
}
