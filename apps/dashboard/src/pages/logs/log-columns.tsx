import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { endTexts } from '../../media/reasons.js';
import type { Column } from '../../parts/resource-table.js';
import { durationText, numberText, sizeText } from '../../parts/formats.js';
import { environmentNames, StateBadge, Time, TwoLines } from '../../parts/values.js';
import type { LogEntries, LogKind, MessageLog, RecordingLog, RoomLog, SipCallLog } from './logs-api.js';

const directions = { incoming: 'Incoming', outgoing: 'Outgoing' } as const;

function RoomLink({ meetingID, name = meetingID }: { meetingID: string; name?: string }) {
  return (
    <Anchor component={Link} href={`/rooms/${meetingID}`} size="sm">
      {name}
    </Anchor>
  );
}

const roomColumns: Column<RoomLog>[] = [
  {
    header: 'Room',
    cell: ({ meetingID, roomName, hostName, keyType }) => (
      <TwoLines
        first={<RoomLink meetingID={meetingID} name={roomName ?? 'Unnamed room'} />}
        second={`${hostName} · ${environmentNames[keyType]}`}
      />
    ),
  },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Started', cell: ({ startedAt }) => <Time value={startedAt} />, visibleFrom: 'sm' },
  { header: 'Length', cell: ({ durationSeconds }) => durationText(durationSeconds) },
  {
    header: 'Participants',
    cell: ({ participantCount, externalSessionCount }) =>
      externalSessionCount === 0
        ? numberText(participantCount)
        : `${numberText(participantCount)}, and ${numberText(externalSessionCount)} external`,
    visibleFrom: 'md',
  },
  {
    header: 'Participant time',
    cell: ({ participantSeconds }) => durationText(participantSeconds),
    visibleFrom: 'md',
  },
  { header: 'Recorded', cell: ({ recordingSeconds }) => durationText(recordingSeconds), visibleFrom: 'lg' },
  { header: 'Why it ended', cell: ({ endReason }) => endReason && endTexts[endReason], visibleFrom: 'lg' },
];

const recordingColumns: Column<RecordingLog>[] = [
  { header: 'Room', cell: ({ meetingID }) => <RoomLink meetingID={meetingID} /> },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Started', cell: ({ startedAt }) => <Time value={startedAt} />, visibleFrom: 'sm' },
  { header: 'Length', cell: ({ durationSeconds }) => durationText(durationSeconds) },
  { header: 'Size', cell: ({ sizeBytes }) => sizeText(sizeBytes), visibleFrom: 'sm' },
  {
    header: 'Picture',
    cell: ({ width, height }) => (width === null || height === null ? 'None' : `${width} × ${height}`),
    visibleFrom: 'lg',
  },
  { header: 'Why it ended', cell: ({ endReason }) => endReason && endTexts[endReason], visibleFrom: 'lg' },
];

const messageColumns: Column<MessageLog>[] = [
  { header: 'Sent', cell: ({ sentAt }) => <Time value={sentAt} /> },
  { header: 'Room', cell: ({ meetingID }) => <RoomLink meetingID={meetingID} />, visibleFrom: 'md' },
  { header: 'From', cell: ({ senderID }) => senderID, visibleFrom: 'sm' },
  { header: 'To', cell: ({ recipientID }) => recipientID ?? 'Everyone', visibleFrom: 'md' },
  { header: 'Message', cell: ({ message }) => <Text size="sm">{message}</Text> },
];

const callColumns: Column<SipCallLog>[] = [
  { header: 'Direction', cell: ({ direction }) => directions[direction], visibleFrom: 'sm' },
  { header: 'Caller', cell: ({ callerNumber }) => callerNumber },
  { header: 'Called', cell: ({ calleeNumber }) => calleeNumber },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} />, visibleFrom: 'sm' },
  { header: 'Started', cell: ({ startedAt }) => <Time value={startedAt} />, visibleFrom: 'md' },
  { header: 'Ended', cell: ({ endedAt }) => <Time value={endedAt} />, visibleFrom: 'lg' },
  { header: 'Callback', cell: ({ callbackState }) => callbackState ?? 'None', visibleFrom: 'lg' },
];

export const logColumns: { [Kind in LogKind]: readonly Column<LogEntries[Kind]>[] } = {
  room: roomColumns,
  recording: recordingColumns,
  message: messageColumns,
  call: callColumns,
};
