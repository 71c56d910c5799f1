import { IsOptional, Length } from 'class-validator';
import { IsText } from '../../fields/text.decorator.js';

export class ChatSendDto {
  @IsText('message', 1, 2000)
  message!: string;

  /** A participant; left out, everybody reads it. */
  @IsOptional()
  @Length(1, 64, { message: 'recipientID must be the identifier of a participant.' })
  recipientID?: string | null;
}
