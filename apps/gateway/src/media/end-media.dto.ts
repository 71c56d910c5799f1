import { IsOptional, Length } from 'class-validator';

/** Body of each DELETE under a meeting. */
export class EndMediaDto {
  /** For the caller's own records; it stands in the log. */
  @IsOptional()
  @Length(0, 256, { message: 'reason must be text of at most 256 characters.' })
  reason?: string | null;
}
