import { endReasons } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import { recordingStates, type Recording } from './recording.entity.js';

/** What is recorded: an external session or a participant. */
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
    endReason: z.enum(endReasons).nullable(),
    /** Of the media: what was lost with the source is not in the file. */
    durationSeconds: z.number().min(0).nullable(),
    sizeBytes: count.nullable(),
    format: z.string().nullable(),
    width: count.nullable(),
    height: count.nullable(),
    checksumSha256: z.string().nullable(),
    /** When the file is deleted. */
    expiresAt: time.nullable(),
    /** The one that this goes on with, after a media node was lost. */
    previousRecordingID: z.string().nullable(),
    /** In the answer about one recording that has a file. */
    downloadUrl: z.string().nullable(),
    downloadUrlExpiresAt: time.nullable(),
  })
  .meta({ id: 'Recording' });
export type PresentedRecording = z.infer<typeof recordingSchema>;

/** How a file is fetched for a while. */
export interface RecordingDownload extends IssuedToken {
  /** Base address of a node that gives it out. */
  publicUrl: string;
}

export function presentRecording(row: Recording, download?: RecordingDownload): PresentedRecording {
  return {
    recordingID: row.id,
    meetingID: row.meetingID,
    source: { sessionID: row.sourceSessionID, participantID: row.sourceParticipantID },
    state: row.state,
    createdAt: presentTime(row.createdAt),
    startedAt: presentTime(row.activatedAt),
    endedAt: presentTime(row.endedAt),
    endReason: row.endReason,
    durationSeconds: row.durationSeconds ?? secondsUntilEnd(row),
    sizeBytes: row.sizeBytes,
    format: row.format,
    width: row.width,
    height: row.height,
    checksumSha256: row.checksumSha256,
    expiresAt: presentTime(row.expiresAt),
    previousRecordingID: row.previousRecordingID,
    downloadUrl: download ? `${download.publicUrl}/recordings/${row.id}.mp4?token=${download.token}` : null,
    downloadUrlExpiresAt: presentTime(download?.expiresAt ?? null),
  };
}

/** Before the file says it. */
function secondsUntilEnd({ activatedAt, endedAt }: Recording): number | null {
  return activatedAt && endedAt ? Math.max(0, endedAt.getTime() - activatedAt.getTime()) / 1000 : null;
}
