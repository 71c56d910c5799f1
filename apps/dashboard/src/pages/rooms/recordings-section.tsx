import { IconCircleDot, IconDownload, IconPlayerStop } from '@tabler/icons-react';
import { shownKey } from '../../api/query-keys.js';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Section } from '../../parts/section.js';
import { ShortID } from '../../parts/short-id.js';
import { StateBadge } from '../../parts/state-badge.js';
import { useAction } from '../../parts/use-action.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { recordings, type Recording } from './meeting-api.js';

const pageSize = 5;
const bytesInMegabyte = 1_000_000;
const oneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const columns: readonly Column<Recording>[] = [
  { header: texts.recording, cell: ({ recordingID }) => <ShortID value={recordingID} what={texts.recording} /> },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: texts.length,
    cell: ({ durationSeconds }) =>
      durationSeconds === null ? texts.notMeasured : texts.seconds(oneDecimal.format(durationSeconds)),
    visibleFrom: 'sm',
  },
  {
    header: texts.fileSize,
    cell: ({ sizeBytes }) =>
      sizeBytes === null ? texts.notMeasured : texts.megabytes(oneDecimal.format(sizeBytes / bytesInMegabyte)),
    visibleFrom: 'sm',
  },
];

export function RecordingsSection({ meetingID }: { meetingID: string }) {
  return (
    <Section title={texts.recordings}>
      <ResourceTable
        label={texts.recordings}
        queryKey={shownKey('recording', 'list', meetingID)}
        list={(page, signal) => recordings.list(page, { meetingID }, signal)}
        rowKey={({ recordingID }) => recordingID}
        columns={columns}
        rowActions={recording => <RecordingActions recording={recording} />}
        empty={<EmptyState icon={IconCircleDot} title={texts.recordingsEmpty} text={texts.recordingsEmptyText} />}
        pageSize={pageSize}
      />
    </Section>
  );
}

function RecordingActions({ recording: { recordingID, state } }: { recording: Recording }) {
  const stop = useAction({
    run: () => recordings.act('stop', { recordingID }),
    success: texts.recordingStopped,
    changes: ['recording'],
  });
  // The address is signed when it is asked for, and good for a short time.
  const download = useAction({
    run: () => recordings.find(recordingID),
    onDone: ({ downloadUrl }) => void (downloadUrl !== null && location.assign(downloadUrl)),
  });
  if (state === 'starting' || state === 'recording') {
    return (
      <IconButton
        label={texts.stopRecording(recordingID)}
        icon={IconPlayerStop}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      />
    );
  }
  return (
    <>
      {state === 'ready' && (
        <IconButton label={texts.download(recordingID)} icon={IconDownload} onClick={() => download.mutate()} />
      )}
      <ConfirmButton
        label={texts.deleteRecording(recordingID)}
        title={texts.deleteRecordingTitle}
        text={texts.deleteRecordingText}
        run={() => recordings.remove(recordingID)}
        success={texts.recordingDeleted}
        changes={['recording']}
      />
    </>
  );
}
