import { IsInt, Length, Max, Min } from 'class-validator';

const choiceRule = { message: 'choice must be the place of an option, from 0.' };

export class PollVoteDto {
  @Length(1, 64, { message: 'pollID must be the identifier of a poll.' })
  pollID!: string;

  @Max(1000, choiceRule)
  @Min(0, choiceRule)
  @IsInt(choiceRule)
  choice!: number;
}
