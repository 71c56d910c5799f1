import { z } from 'zod';
import { count, identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { recordingStates, type Recording } from './recording.entity.js';

/** What is recorded; with neither field, the whole room. */
const sourceSchema = z.object({ sessionID: z.string().nullable(), participantID: z.string().nullable() });

export const recordingSchema = z
  .object({
    recordingID: identifier('rec'),
    meetingID: identifier('room'),
    source: sourceSchema,
    state: z.enum(recordingStates),
    createdAt: time,
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    durationSeconds: z.number().min(0).nullable(),
    sizeBytes: count.nullable(),
    format: z.string().nullable(),
    width: count.nullable(),
    height: count.nullable(),
    checksumSha256: z.string().nullable(),
  })
  .meta({ id: 'Recording' });
export type PresentedRecording = z.infer<typeof recordingSchema>;

export function presentRecording(row: Recording): PresentedRecording {
  return {
    recordingID: row.id,
    meetingID: row.meetingID,
    source: { sessionID: row.sourceSessionID, participantID: row.sourceParticipantID },
    state: row.state,
    createdAt: presentTime(row.createdAt),
    startedAt: presentTime(row.startedAt),
    endedAt: presentTime(row.endedAt),
    durationSeconds: row.startedAt && row.endedAt ? (row.endedAt.getTime() - row.startedAt.getTime()) / 1000 : null,
    sizeBytes: row.sizeBytes,
    format: row.format,
    width: row.width,
    height: row.height,
    checksumSha256: row.checksumSha256,
  };
}
