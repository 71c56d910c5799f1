import type { EndReason, RoomState } from '@rtms/contracts';
import type { KeyType } from '../auth/caller.js';
import { presentTime } from '../http/present.js';
import { presentRecording, type PresentedRecording } from '../recordings/present-recording.js';
import type { Recording } from '../recordings/recording.entity.js';
import type { Room } from '../rooms/room.entity.js';
import { logIDOf } from './log-entries.js';
import type { RoomMessage } from './room-message.entity.js';
import type { RoomUsage } from './room-usage.js';
import type { SipCall } from './sip-call.entity.js';

interface PresentedRoomLog {
  logID: string;
  kind: 'room';
  meetingID: string;
  roomName: string | null;
  eventType: string;
  keyType: KeyType;
  hostName: string;
  state: RoomState;
  startedAt: string;
  endedAt: string | null;
  endReason: EndReason | null;
  /** So far, while it runs. */
  durationSeconds: number;
  participantCount: number;
  externalSessionCount: number;
  /** What everybody was in it, added up. */
  participantSeconds: number;
  recordingSeconds: number;
}

interface PresentedMessageLog {
  logID: string;
  kind: 'message';
  meetingID: string;
  senderID: string;
  recipientID: string | null;
  message: string;
  sentAt: string;
}

type PresentedRecordingLog = { logID: string; kind: 'recording' } & PresentedRecording;

export type PresentedLog = PresentedRoomLog | PresentedRecordingLog | PresentedMessageLog;

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
  return { logID: logIDOf(row.id), kind: 'recording', ...presentRecording(row) };
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

export function presentSipCallLog(row: SipCall) {
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

export type PresentedSipCallLog = ReturnType<typeof presentSipCallLog>;

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
