import { roomTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { oneOf, queryText, queryTime } from '../../platform/http/fields.js';
import { keyTypes } from '../../platform/auth/caller.js';
import { count, endReason, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import { presentRecording, recordingSchema } from '../recordings/recording.dto.js';
import type { DeletedRecording } from '../recordings/deleted-recording.entity.js';
import type { Recording } from '../resources/recording.entity.js';
import type { Room } from '../../rooms/room/rooms.service.js';
import type { RoomMessage } from '../../rooms/conversation/chat.service.js';
import type { RoomUsage } from './logs.repository.js';
import type { SipCall } from './sip-call.entity.js';

export const roomLogKinds = ['room', 'recording', 'message'] as const;
export type RoomLogKind = (typeof roomLogKinds)[number];

const filters = {
  meetingID: queryText(),
  from: queryTime.describe('Answers only entries from this time on.'),
  to: queryTime.describe('Answers only entries before this time.'),
};

export class GetLogsDto extends Dto(optionalQuery(filters)) {}

export class GetRoomLogsDto extends Dto(
  optionalQuery({ ...filters, kind: oneOf(roomLogKinds).describe('Answers only entries of this kind.') }),
) {}

const roomLogSchema = z
  .object({
    logID: identifier('log'),
    kind: z.literal('room').describe('Kind of entry.'),
    meetingID: identifier('room'),
    roomName: z.string().nullable().describe('Name of the room.'),
    eventType: z.string().describe('Room type.'),
    keyType: z.enum(keyTypes).describe('Environment of the room.'),
    hostName: z.string().describe('Name of the host.'),
    state: oneOfKeys(roomTransitions).describe('State of the room.'),
    startedAt: time.describe('When the room was created.'),
    endedAt: time.nullable().describe('When the room ended; null: not yet.'),
    endReason: endReason.nullable().describe('Why the room ended.'),
    durationSeconds: count.describe('Seconds from the start to the end, or until now.'),
    participantCount: count.describe('Number of participants that were connected.'),
    externalSessionCount: count.describe('Number of external sessions.'),
    participantSeconds: count.describe('Sum of the connected seconds of all participants and external sessions.'),
    recordingSeconds: count.describe('Sum of recorded seconds.'),
  })
  .meta({ id: 'RoomLog', description: 'The use of a room.' });
type PresentedRoomLog = z.infer<typeof roomLogSchema>;

const messageLogSchema = z
  .object({
    logID: identifier('log'),
    kind: z.literal('message').describe('Kind of entry.'),
    meetingID: identifier('room'),
    senderID: z.string().describe('The participant that sent the message.'),
    recipientID: z.string().nullable().describe('The only reader; null: everyone in the room.'),
    message: z.string().describe('Text of the message.'),
    sentAt: time.describe('When the message was sent.'),
  })
  .meta({ id: 'MessageLog', description: 'A chat message.' });
type PresentedMessageLog = z.infer<typeof messageLogSchema>;

const recordingLogSchema = recordingSchema
  .extend({
    logID: identifier('log'),
    kind: z.literal('recording').describe('Kind of entry.'),
    deletedAt: time.nullable().describe('When the recording was deleted; null: not deleted.'),
  })
  .meta({ id: 'RecordingLog', description: 'A recording, also after its deletion.' });
type PresentedRecordingLog = z.infer<typeof recordingLogSchema>;

export const logSchema = z.union([roomLogSchema, recordingLogSchema, messageLogSchema]);
export type PresentedLog = z.infer<typeof logSchema>;

export function presentRoomLog(room: Room, usage: RoomUsage, now: Date): PresentedRoomLog {
  return {
    logID: logIDOf(room.id),
    kind: 'room',
    meetingID: room.id,
    roomName: room.roomName,
    eventType: room.eventType,
    keyType: room.keyType,
    hostName: room.hostName,
    state: room.state,
    startedAt: presentTime(room.createdAt),
    endedAt: presentTime(room.endedAt),
    endReason: room.endReason,
    durationSeconds: seconds((room.endedAt ?? now).getTime() - room.createdAt.getTime()),
    participantCount: usage.participantCount,
    externalSessionCount: usage.externalSessionCount,
    participantSeconds: seconds(usage.meetingMs),
    recordingSeconds: seconds(usage.recordingMs),
  };
}

export function presentRecordingLog(row: Recording): PresentedRecordingLog {
  return { logID: logIDOf(row.id), kind: 'recording', deletedAt: null, ...presentRecording(row) };
}

export function presentDeletedRecordingLog({ id, recording, deletedAt }: DeletedRecording): PresentedRecordingLog {
  const deleted = { deletedAt: presentTime(deletedAt), layout: null };
  // Rows of earlier versions have no storyboardUrl and no hlsUrl.
  return { logID: logIDOf(id), kind: 'recording', ...deleted, ...recording, storyboardUrl: null, hlsUrl: null };
}

export function presentMessageLog(row: RoomMessage): PresentedMessageLog {
  return {
    logID: logIDOf(row.id),
    kind: 'message',
    meetingID: row.meetingID,
    senderID: row.senderID,
    recipientID: row.recipientID,
    message: row.message,
    sentAt: presentTime(row.createdAt),
  };
}

const spokenSchema = z.object({
  speaker: z.string().describe('The speaker.'),
  text: z.string().describe('The spoken text.'),
  at: z.string().describe('When the text was spoken.'),
});

const sipCallFields = {
  direction: z.enum(['incoming', 'outgoing']).describe('Direction of the call.'),
  callerNumber: z.string().describe('Telephone number of the caller.'),
  calleeNumber: z.string().describe('Telephone number of the callee.'),
  state: z.string().describe('State of the call.'),
  summary: z.string().nullable().describe('Summary of the call.'),
  callbackState: z.string().nullable().describe('State of the callback.'),
};

export const sipCallLogSchema = z
  .object({
    logID: identifier('log'),
    meetingID: identifier('room').nullable().describe('Room of the call, or null.'),
    ...sipCallFields,
    transcript: z.array(spokenSchema).describe('Transcript of the call.'),
    startedAt: time.describe('When the call started.'),
    answeredAt: time.nullable().describe('When the call was answered; null: never.'),
    endedAt: time.nullable().describe('When the call ended; null: not yet.'),
  })
  .meta({ id: 'SipCallLog', description: 'A SIP call.' });
export type PresentedSipCallLog = z.infer<typeof sipCallLogSchema>;

export function presentSipCallLog(row: SipCall): PresentedSipCallLog {
  return {
    logID: logIDOf(row.id),
    meetingID: row.meetingID,
    ...presentFields(sipCallFields, row),
    transcript: row.transcript,
    startedAt: presentTime(row.createdAt),
    answeredAt: presentTime(row.answeredAt),
    endedAt: presentTime(row.endedAt),
  };
}

/** `room_…` → `log_…`: the log ID of an entry never changes. */
function logIDOf(id: string): string {
  return `log_${id.slice(id.indexOf('_') + 1)}`;
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
