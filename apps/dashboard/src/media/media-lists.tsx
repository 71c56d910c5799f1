import { Button, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import {
  IconCircleDot,
  IconDeviceTv,
  IconDownload,
  IconLayoutGrid,
  IconPlayerStop,
  IconUsers,
} from '@tabler/icons-react';
import type { EndReason, ParticipantRole } from '@rtms/contracts';
import { recordings, shownKey, type Recording } from '../api/resource.js';
import { useMay } from '../api/session.js';
import { useAction } from '../parts/actions.js';
import { ConfirmButton, IconButton } from '../parts/buttons.js';
import { choicesOf, FormModal } from '../parts/forms.js';
import { TableSection } from '../parts/resource-table.js';
import { durationText, numberText, sizeText } from '../parts/formats.js';
import { ShortID, StateBadge, Time, TwoLines } from '../parts/values.js';
import { isOver, playbacks, readLive, trackNames } from '../api/meetings.js';
import { endTexts } from './reasons.js';
import { useViewersDialog } from './viewers/viewers-dialog.js';

const pageSize = 5;
/** No event announces viewers. */
const viewersRefetchMs = 5_000;

interface MediaListProps {
  meetingID: string;
  /** Only media of this external session. */
  sourceSessionID?: string;
}

export function PlaybacksSection({ meetingID, sourceSessionID }: MediaListProps) {
  const mayEnd = useMay('playMedia');
  const viewers = useViewersDialog('playback', meetingID);
  return (
    <>
      <TableSection
        title="Playbacks"
        queryKey={shownKey('playback', 'list', meetingID, sourceSessionID)}
        list={(page, signal) => playbacks.list(meetingID, { ...page, sourceSessionID }, signal)}
        rowKey={({ playbackID }) => playbackID}
        columns={[
          { header: 'Playback', cell: ({ playbackID }) => <ShortID value={playbackID} what="Playback" /> },
          { header: 'State', cell: playback => <StateAndReason of={playback} /> },
          { header: 'Viewers', cell: ({ viewerCount }) => numberText(viewerCount), visibleFrom: 'sm' },
          {
            header: 'Tracks',
            cell: ({ tracks }) => tracks.map(kind => trackNames[kind]).join(', '),
            visibleFrom: 'md',
          },
          { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
        ]}
        rowActions={playback => (
          <>
            {viewers.button(playback.playbackID)}
            {mayEnd && !isOver(playback) && (
              <ConfirmButton
                label={`End playback ${playback.playbackID}`}
                icon={IconPlayerStop}
                title="End this playback?"
                text="Its viewers are disconnected."
                confirmLabel="End"
                run={() => playbacks.end(meetingID, playback.playbackID)}
                success="The playback was ended."
                changes={['playback']}
              />
            )}
          </>
        )}
        empty={{
          icon: IconDeviceTv,
          title: 'No playbacks yet',
          text: 'A playback lets WebRTC players watch a session.',
        }}
        pageSize={pageSize}
        refetchMs={viewersRefetchMs}
      />
      {viewers.dialog}
    </>
  );
}

const layoutNames: Record<NonNullable<Recording['layout']>, string> = {
  grid: 'Room, grid',
  speaker: 'Room, speaker',
  single: 'Room, main picture',
};

export function RecordingsSection({ meetingID, sourceSessionID }: MediaListProps) {
  return (
    <TableSection
      title="Recordings"
      actions={sourceSessionID === undefined && <ComposeRecordings meetingID={meetingID} />}
      queryKey={shownKey('recording', 'list', meetingID, sourceSessionID)}
      list={(page, signal) => recordings.list(page, { meetingID, sourceSessionID }, signal)}
      rowKey={recordings.idOf}
      columns={[
        { header: 'Recording', cell: ({ recordingID }) => <ShortID value={recordingID} what="Recording" /> },
        { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
        { header: 'Of', cell: ({ layout }) => (layout ? layoutNames[layout] : 'One source'), visibleFrom: 'sm' },
        { header: 'Length', cell: ({ durationSeconds }) => durationText(durationSeconds), visibleFrom: 'sm' },
        { header: 'Size', cell: ({ sizeBytes }) => sizeText(sizeBytes), visibleFrom: 'sm' },
      ]}
      rowActions={recording => <RecordingActions recording={recording} />}
      empty={{
        icon: IconCircleDot,
        title: 'No recordings yet',
        text: 'Record the room, or a session from the menu in its row.',
      }}
      pageSize={pageSize}
    />
  );
}

const usualLayout = 'usual';
const layoutChoices = {
  [usualLayout]: 'As in the recording settings',
  grid: 'All alike',
  speaker: 'One large',
  single: 'Only the main picture',
} as const;

/** A button and a form. Makes one file from all recordings of single sources of the room, also after its end. */
function ComposeRecordings({ meetingID }: { meetingID: string }) {
  const mayChange = useMay('manageRecordings');
  const [isOpen, { open, close }] = useDisclosure();
  const form = useForm<{ layout: keyof typeof layoutChoices }>({ initialValues: { layout: usualLayout } });
  if (!mayChange) return null;
  return (
    <>
      <Button variant="light" leftSection={<IconLayoutGrid size={16} aria-hidden />} onClick={open}>
        Compose recordings
      </Button>
      <FormModal
        title="Compose recordings"
        isOpen={isOpen}
        onClose={close}
        form={form}
        submitLabel="Compose"
        run={({ layout }) => recordings.act('compose', { meetingID, ...(layout !== usualLayout && { layout }) })}
        success="One file is being made of the recordings."
        changes={['recording']}
      >
        <Select
          label="Layout"
          description="The recordings of single sources of this room become one new recording. They stay as they are."
          data={choicesOf(layoutChoices)}
          allowDeselect={false}
          {...form.getInputProps('layout')}
        />
      </FormModal>
    </>
  );
}

function RecordingActions({ recording }: { recording: Recording }) {
  const { recordingID, state } = recording;
  const mayChange = useMay('manageRecordings');
  const stop = useAction({
    run: () => recordings.act('stop', { recordingID }),
    success: 'The recording was stopped.',
    changes: ['recording'],
  });
  // The gateway signs a new download address for each request; it is valid for a short time.
  const download = useAction({
    run: () => recordings.find(recordingID),
    onDone: ({ downloadUrl }) => void (downloadUrl !== null && location.assign(downloadUrl)),
  });
  if (state === 'starting' || state === 'recording') {
    if (!mayChange) return null;
    return (
      <IconButton
        label={`Stop ${recordingID}`}
        icon={IconPlayerStop}
        loading={stop.isPending}
        onClick={() => stop.mutate()}
      />
    );
  }
  return (
    <>
      {state === 'ready' && (
        <IconButton label={`Download ${recordingID}`} icon={IconDownload} onClick={() => download.mutate()} />
      )}
      {mayChange && (
        <ConfirmButton
          label={`Delete ${recordingID}`}
          title="Delete this recording?"
          text="Its file is deleted too. This cannot be undone."
          run={() => recordings.remove(recording)}
          success="The recording was deleted."
          changes={['recording']}
        />
      )}
    </>
  );
}

interface Ending {
  state: string;
  endReason: EndReason | null;
}

/** A state, and why it ended. */
export function StateAndReason({ of: { state, endReason } }: { of: Ending }) {
  return <TwoLines first={<StateBadge state={state} />} second={endReason && endTexts[endReason]} />;
}

const mostMembers = 200;

const roleTexts: Record<ParticipantRole, string> = {
  host: 'Host',
  cohost: 'Co-host',
  participant: 'Participant',
  viewer: 'Viewer',
};

/** The gateway lists at most 200 participants of a room, all at once. */
async function listMembers(meetingID: string, signal: AbortSignal) {
  const { members } = await readLive(meetingID, signal);
  return { items: members, total: members.length, startIndex: 0, pageSize: mostMembers };
}

export function MembersSection({ meetingID }: { meetingID: string }) {
  return (
    <TableSection
      title="Participants"
      queryKey={shownKey('participant', 'live', meetingID)}
      list={(_, signal) => listMembers(meetingID, signal)}
      rowKey={({ participantID }) => participantID}
      columns={[
        { header: 'Name', cell: ({ userName }) => <TwoLines first={userName} /> },
        { header: 'Role', cell: ({ role }) => roleTexts[role] },
        { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
        { header: 'Since', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
      ]}
      empty={{
        icon: IconUsers,
        title: 'No participants in the room',
        text: 'Participants appear here when they join.',
      }}
      pageSize={mostMembers}
    />
  );
}
