import { endReasons, roomTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { keyTypes } from '../auth/caller.js';
import { count, identifier, oneOfKeys, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { presentRecording, recordingSchema } from '../recordings/present-recording.js';
import type { DeletedRecording } from '../recordings/deleted-recording.entity.js';
import type { Recording } from '../recordings/recording.entity.js';
import type { Room } from '../rooms/room.entity.js';
import { logIDOf } from './log-entries.js';
import type { RoomMessage } from './room-message.entity.js';
import type { RoomUsage } from './room-usage.js';
import type { SipCall } from './sip-call.entity.js';

const roomLogSchema = z
  .object({
    logID: identifier('log'),
    kind: z.literal('room'),
    meetingID: identifier('room'),
    roomName: z.string().nullable(),
    eventType: z.string(),
    keyType: z.enum(keyTypes),
    hostName: z.string(),
    state: oneOfKeys(roomTransitions),
    startedAt: time,
    endedAt: time.nullable(),
    endReason: z.enum(endReasons).nullable(),
    /** So far, while it runs. */
    durationSeconds: count,
    participantCount: count,
    externalSessionCount: count,
    /** What everybody was in it, added up. */
    participantSeconds: count,
    recordingSeconds: count,
  })
  .meta({ id: 'RoomLog' });
type PresentedRoomLog = z.infer<typeof roomLogSchema>;

const messageLogSchema = z
  .object({
    logID: identifier('log'),
    kind: z.literal('message'),
    meetingID: identifier('room'),
    senderID: z.string(),
    recipientID: z.string().nullable(),
    message: z.string(),
    sentAt: time,
  })
  .meta({ id: 'MessageLog' });
type PresentedMessageLog = z.infer<typeof messageLogSchema>;

const recordingLogSchema = recordingSchema
  .extend({ logID: identifier('log'), kind: z.literal('recording'), deletedAt: time.nullable() })
  .meta({ id: 'RecordingLog' });
type PresentedRecordingLog = z.infer<typeof recordingLogSchema>;

export const logSchema = z.union([roomLogSchema, recordingLogSchema, messageLogSchema]);
export type PresentedLog = z.infer<typeof logSchema>;

export function presentRoomLog(room: Room, usage: Omit<RoomUsage, 'meetingID'>, now: Date): PresentedRoomLog {
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
  return { logID: logIDOf(id), kind: 'recording', deletedAt: presentTime(deletedAt), ...recording };
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

export const sipCallLogSchema = z
  .object({
    logID: identifier('log'),
    meetingID: identifier('room').nullable(),
    direction: z.enum(['incoming', 'outgoing']),
    callerNumber: z.string(),
    calleeNumber: z.string(),
    state: z.string(),
    transcript: z.array(z.object({ speaker: z.string(), text: z.string(), at: z.string() })),
    summary: z.string().nullable(),
    callbackState: z.string().nullable(),
    startedAt: time,
    answeredAt: time.nullable(),
    endedAt: time.nullable(),
  })
  .meta({ id: 'SipCallLog' });
export type PresentedSipCallLog = z.infer<typeof sipCallLogSchema>;

export function presentSipCallLog(row: SipCall): PresentedSipCallLog {
  return {
    logID: logIDOf(row.id),
    meetingID: row.meetingID,
    direction: row.direction,
    callerNumber: row.callerNumber,
    calleeNumber: row.calleeNumber,
    state: row.state,
    transcript: row.transcript,
    summary: row.summary,
    callbackState: row.callbackState,
    startedAt: presentTime(row.createdAt),
    answeredAt: presentTime(row.answeredAt),
    endedAt: presentTime(row.endedAt),
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
