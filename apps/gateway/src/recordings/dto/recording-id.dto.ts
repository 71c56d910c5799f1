import { Length } from 'class-validator';

/** Of `stop` and `delete`. */
export class RecordingIDDto {
  @Length(1, 64, { message: 'recordingID must be the identifier of a recording.' })
  recordingID!: string;
}
