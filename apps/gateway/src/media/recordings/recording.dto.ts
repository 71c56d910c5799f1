import { mostRecordedSources } from '@rtms/contracts';
import { z } from 'zod';
import { layouts } from '../resources/composition-of.js';
import { recordingStates, type Recording } from '../resources/recording.entity.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, listOf, oneOf, queryText } from '../../platform/http/fields.js';
import { sourceFields } from '../broadcasts/broadcast.dto.js';
import { count, endReason, identifier, time } from '../../platform/http/answers.js';
import { presentTime } from '../../platform/http/present.js';
import type { IssuedToken } from '../../accounts/signing-keys/media-tokens.service.js';

const recordingID = idOf('a recording');

/** At most one of the two sources. Without a source it is the whole room. */
export class StartRecordingDto extends Dto({
  meetingID: idOf('a room'),
  ...optional({
    ...sourceFields,
    layout: oneOf(layouts).describe('Layout of the whole room. Default: as `videoOptions` of the recording settings.'),
  }),
}) {}

/** Needs `meetingID` or `recordingIDs`. */
export class ComposeRecordingDto extends Dto(
  optional({
    meetingID: idOf('a room').describe('Room whose recordings of single sources are composed.'),
    recordingIDs: listOf(
      recordingID,
      1,
      mostRecordedSources,
      `must be a list of 1 to ${mostRecordedSources} recordings, none twice.`,
    ).describe('Recordings of single sources of one room. Default: all of `meetingID`.'),
    mainRecordingID: recordingID.describe(
      'Recording in the large picture while it has media. Without `layout`, a grid becomes a `speaker` layout.',
    ),
    layout: oneOf(layouts).describe('Default: as `videoOptions` of the recording settings.'),
  }),
) {}

export class RecordingIDDto extends Dto({ recordingID }) {}

export class GetRecordingsDto extends Dto(
  optionalQuery({
    recordingID: queryText(),
    meetingID: queryText(),
    sourceSessionID: queryText().describe('Answers only recordings of this external session.'),
    state: oneOf(recordingStates).describe('Answers only recordings in this state.'),
  }),
) {}

/** The recorded source: an external session or a participant. Both are null for a whole room. */
const sourceSchema = z.object({
  sessionID: z.string().nullable().describe('External session of the source, or null.'),
  participantID: z.string().nullable().describe('Participant of the source, or null.'),
});

export const recordingSchema = z
  .object({
    recordingID: identifier('rec'),
    meetingID: identifier('room'),
    source: sourceSchema.describe('Source of the recording.'),
    layout: z.enum(layouts).nullable().describe('Layout of a recording of the whole room; null: of one source.'),
    state: z.enum(recordingStates).describe('State of the recording. The file can be downloaded when it is `ready`.'),
    createdAt: time.describe('When the recording was requested.'),
    startedAt: time.nullable().describe('When the recording started; null: not yet.'),
    endedAt: time.nullable().describe('When the recording ended; null: not yet.'),
    endReason: endReason.nullable().describe('Why the recording ended.'),
    durationSeconds: z.number().min(0).nullable().describe('Seconds of recorded media.'),
    sizeBytes: count.nullable().describe('Size of the file.'),
    format: z.string().nullable().describe('Format of the file.'),
    width: count.nullable().describe('Width of video in pixels.'),
    height: count.nullable().describe('Height of video in pixels.'),
    checksumSha256: z.string().nullable().describe('SHA-256 of the file, in hexadecimal.'),
    expiresAt: time.nullable().describe('When the file is deleted.'),
    previousRecordingID: z
      .string()
      .nullable()
      .describe('The recording that this one continues after the loss of a media node.'),
    downloadUrl: z.string().nullable().describe('Short-lived address of the file; present when one recording is read.'),
    downloadUrlExpiresAt: time.nullable().describe('When downloadUrl and storyboardUrl expire.'),
    storyboardUrl: z
      .string()
      .nullable()
      .describe('Short-lived address of WebVTT thumbnails for players; null without video, and like downloadUrl.'),
    hlsUrl: z
      .string()
      .nullable()
      .describe(
        'Address of the HLS playlist, when one recording is read; null without `addHLS` in the recording settings, or if HLS could not be made. Lasts for the recording and an hour.',
      ),
  })
  .meta({ id: 'Recording', description: 'A recording of one source or of a whole room.' });
export type PresentedRecording = z.infer<typeof recordingSchema>;

/** How a file is fetched for a while. */
export interface RecordingDownload extends IssuedToken {
  /** Outlasts the playback. Absent: the recording has no HLS. */
  hlsToken?: string;
  /** Base address of a node that gives it out. */
  publicUrl: string;
}

export function presentRecording(row: Recording, download?: RecordingDownload): PresentedRecording {
  return {
    recordingID: row.id,
    meetingID: row.meetingID,
    source: { sessionID: row.sourceSessionID, participantID: row.sourceParticipantID },
    layout: row.composition?.layout ?? null,
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
    ...addressesOf(row, download),
  };
}

function addressesOf(row: Recording, download: RecordingDownload | undefined) {
  if (!download) return { downloadUrl: null, downloadUrlExpiresAt: null, storyboardUrl: null, hlsUrl: null };
  const { publicUrl, token, hlsToken, expiresAt } = download;
  const base = `${publicUrl}/recordings/${row.id}`;
  return {
    downloadUrl: `${base}.mp4?token=${token}`,
    downloadUrlExpiresAt: presentTime(expiresAt),
    storyboardUrl: row.width === null ? null : `${base}/storyboard.vtt?token=${token}`,
    hlsUrl: hlsToken === undefined ? null : `${base}/hls.m3u8?token=${hlsToken}`,
  };
}

/** Before the file says it. */
function secondsUntilEnd({ activatedAt, endedAt }: Recording): number | null {
  return activatedAt && endedAt ? Math.max(0, endedAt.getTime() - activatedAt.getTime()) / 1000 : null;
}
