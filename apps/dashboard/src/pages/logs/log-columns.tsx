import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { durationText, sizeText } from '../../parts/amounts.js';
import type { Column } from '../../parts/resource-table.js';
import { StateBadge } from '../../parts/state-badge.js';
import { Time } from '../../parts/time.js';
import { frameTexts } from '../../texts/frame.js';
import { logsTexts as texts } from '../../texts/logs.js';
import type { LogEntries, LogKind, MessageLog, RecordingLog, RoomLog, SipCallLog } from './logs-api.js';

function RoomLink({ meetingID, name = meetingID }: { meetingID: string; name?: string }) {
  return (
    <Anchor component={Link} href={`/rooms/${meetingID}`} size="sm">
      {name}
    </Anchor>
  );
}

const roomColumns: Column<RoomLog>[] = [
  {
    header: texts.room,
    cell: ({ meetingID, roomName, hostName, keyType }) => (
      <>
        <RoomLink meetingID={meetingID} name={roomName ?? texts.unnamed} />
        <Text size="sm" c="dimmed">
          {texts.hostAndEnvironment(hostName, frameTexts.environments[keyType])}
        </Text>
      </>
    ),
  },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} label={texts.states[state]} /> },
  { header: texts.startedAt, cell: ({ startedAt }) => <Time value={startedAt} />, visibleFrom: 'sm' },
  { header: texts.duration, cell: ({ durationSeconds }) => durationText(durationSeconds) },
  {
    header: texts.people,
    cell: ({ participantCount, externalSessionCount }) =>
      texts.peopleAndSessions(participantCount, externalSessionCount),
    visibleFrom: 'md',
  },
  {
    header: texts.participantTime,
    cell: ({ participantSeconds }) => durationText(participantSeconds),
    visibleFrom: 'md',
  },
  { header: texts.recordingTime, cell: ({ recordingSeconds }) => durationText(recordingSeconds), visibleFrom: 'lg' },
  { header: texts.endReason, cell: ({ endReason }) => endReason?.replaceAll('_', ' '), visibleFrom: 'lg' },
];

const recordingColumns: Column<RecordingLog>[] = [
  { header: texts.room, cell: ({ meetingID }) => <RoomLink meetingID={meetingID} /> },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} label={texts.states[state]} /> },
  { header: texts.startedAt, cell: ({ startedAt }) => <Time value={startedAt} />, visibleFrom: 'sm' },
  { header: texts.duration, cell: ({ durationSeconds }) => durationText(durationSeconds) },
  { header: texts.size, cell: ({ sizeBytes }) => sizeText(sizeBytes), visibleFrom: 'sm' },
  {
    header: texts.picture,
    cell: ({ width, height }) => (width === null || height === null ? frameTexts.none : `${width} × ${height}`),
    visibleFrom: 'lg',
  },
  { header: texts.endReason, cell: ({ endReason }) => endReason?.replaceAll('_', ' '), visibleFrom: 'lg' },
];

const messageColumns: Column<MessageLog>[] = [
  { header: texts.sentAt, cell: ({ sentAt }) => <Time value={sentAt} /> },
  { header: texts.room, cell: ({ meetingID }) => <RoomLink meetingID={meetingID} />, visibleFrom: 'md' },
  { header: texts.sender, cell: ({ senderID }) => senderID, visibleFrom: 'sm' },
  { header: texts.recipient, cell: ({ recipientID }) => recipientID ?? texts.everyone, visibleFrom: 'md' },
  { header: texts.message, cell: ({ message }) => <Text size="sm">{message}</Text> },
];

const callColumns: Column<SipCallLog>[] = [
  { header: texts.direction, cell: ({ direction }) => texts.directions[direction], visibleFrom: 'sm' },
  { header: texts.caller, cell: ({ callerNumber }) => callerNumber },
  { header: texts.callee, cell: ({ calleeNumber }) => calleeNumber },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} />, visibleFrom: 'sm' },
  { header: texts.startedAt, cell: ({ startedAt }) => <Time value={startedAt} />, visibleFrom: 'md' },
  { header: texts.endedAt, cell: ({ endedAt }) => <Time value={endedAt} />, visibleFrom: 'lg' },
  { header: texts.callback, cell: ({ callbackState }) => callbackState ?? frameTexts.none, visibleFrom: 'lg' },
];

export const logColumns: { [Kind in LogKind]: readonly Column<LogEntries[Kind]>[] } = {
  room: roomColumns,
  recording: recordingColumns,
  message: messageColumns,
  call: callColumns,
};
