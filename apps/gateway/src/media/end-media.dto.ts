import { z } from 'zod';
import { IsOptional, Length } from 'class-validator';

/** Body of each DELETE under a meeting. */
export class EndMediaDto {
  /** For the caller's own records: the ended resource has it, and the log. */
  @IsOptional()
  @Length(0, 256, { message: 'reason must be text of at most 256 characters.' })
  reason?: string | null;
}

/** The `reason` of the DELETE that ended a resource. */
export const endNote = z.string().nullable().describe('The `reason` that the DELETE had, null when it had none.');
