import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import {
  IconCircleDot,
  IconKeyframe,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconPlugX,
  IconPlus,
  IconTicket,
  type Icon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/resource.js';
import { useAction } from '../../parts/actions.js';
import { ActionMenu, ConfirmButton, type MenuAction } from '../../parts/buttons.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import { Section } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { OnceShownSecret } from '../../parts/secrets.js';
import { StateBadge, TwoLines } from '../../parts/values.js';
import {
  controlTrack,
  endSession,
  isOver,
  renewIngestToken,
  sessions,
  startRecording,
  trackNames,
  type ExternalSession,
  type TrackAction,
  type TrackKind,
} from './meeting-api.js';
import { SessionBitrate, SessionHealth, SessionLoss, SessionMedia } from './session-statistics.js';

const pageSize = 10;
/** No event announces a session's health. */
const refetchMs = 10_000;

const columns: readonly Column<ExternalSession>[] = [
  {
    header: 'Name',
    cell: ({ displayName }) => <TwoLines first={displayName} />,
  },
  { header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Media', cell: session => <SessionMedia session={session} />, visibleFrom: 'sm' },
  { header: 'Bitrate', cell: session => <SessionBitrate session={session} />, visibleFrom: 'sm' },
  { header: 'Loss', cell: session => <SessionLoss session={session} />, visibleFrom: 'md' },
  { header: 'Health', cell: session => <SessionHealth session={session} />, visibleFrom: 'md' },
];

interface SessionsSectionProps {
  meetingID: string;
  isOpen: boolean;
}

export function SessionsSection({ meetingID, isOpen }: SessionsSectionProps) {
  const [isCreating, { open, close }] = useDisclosure();
  const [issued, setIssued] = useState<ExternalSession>();
  const create = isOpen && (
    <Button variant="light" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      Create session for an encoder
    </Button>
  );
  return (
    <Section title="External sessions" actions={create}>
      <ResourceTable
        label="External sessions"
        queryKey={shownKey('externalSession', 'list', meetingID)}
        list={(page, signal) => sessions.list(meetingID, page, signal)}
        rowKey={({ sessionID }) => sessionID}
        columns={columns}
        rowActions={session => isOpen && <SessionActions session={session} onToken={setIssued} />}
        empty={{
          icon: IconPlugConnected,
          title: 'Nobody publishes into this room yet',
          text: 'Publish your camera above, or create a session for an encoder.',
        }}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
      <CreateSessionForm meetingID={meetingID} isOpen={isCreating} onClose={close} onCreated={setIssued} />
      <OnceShownSecret
        title="Give this to your encoder"
        parts={
          issued && [
            { label: 'WHIP address', value: issued.ingest.url ?? '' },
            { label: 'Bearer token', value: issued.ingest.token ?? '' },
          ]
        }
        onClose={() => setIssued(undefined)}
      />
    </Section>
  );
}

interface SessionActionsProps {
  session: ExternalSession;
  onToken: (session: ExternalSession) => void;
}

function SessionActions({ session, onToken }: SessionActionsProps) {
  const actions = useSessionActions({ session, onToken });
  const { displayName } = session;
  if (isOver(session)) return null;
  return (
    <>
      <ActionMenu label={`Actions: ${displayName}`} actions={actions} />
      <ConfirmButton
        label={`End ${displayName}`}
        icon={IconPlugX}
        title="End this session?"
        text="Its playbacks and broadcasts end first. Then the publisher is disconnected."
        confirmLabel="End"
        run={() => endSession(session)}
        success="The session was ended."
        changes={['externalSession', 'playback', 'broadcast']}
      />
    </>
  );
}

/** The actions that the state of a session allows. */
function useSessionActions({ session, onToken }: SessionActionsProps): MenuAction[] {
  const { displayName, state, tracks, ingest, meetingID, sessionID } = session;
  const onTracks = useAction({
    run: ({ action, ids }: { action: TrackAction; ids: readonly string[] }) =>
      Promise.all(ids.map(id => controlTrack(session, id, action))),
    changes: ['externalSession'],
  });
  const record = useAction({
    run: () => startRecording(session),
    success: 'The recording starts.',
    changes: ['recording'],
  });
  const renew = useAction({ run: () => renewIngestToken(meetingID, sessionID), onDone: onToken });
  const idsOf = (wanted: string, ofKind?: TrackKind) =>
    tracks.filter(each => each.state === wanted && each.kind === (ofKind ?? each.kind)).map(({ trackID }) => trackID);
  const forTracks = (label: string, icon: Icon, action: TrackAction, ids: string[]): [boolean, MenuAction] => [
    ids.length > 0,
    { label: `${label} ${displayName}`, icon, onClick: () => onTracks.mutate({ action, ids }) },
  ];
  const choices: [boolean, MenuAction][] = [
    forTracks('Request a keyframe from', IconKeyframe, 'requestKeyframe', idsOf('live', 'video')),
    forTracks('Pause', IconPlayerPause, 'pause', idsOf('live')),
    forTracks('Resume', IconPlayerPlay, 'resume', idsOf('paused')),
    [state === 'active', { label: `Record ${displayName}`, icon: IconCircleDot, onClick: () => record.mutate() }],
    [
      ingest.protocol === 'whip',
      { label: `New ingest token for ${displayName}`, icon: IconTicket, onClick: () => renew.mutate() },
    ],
  ];
  return choices.filter(([isPossible]) => isPossible).map(([, action]) => action);
}

interface Values {
  displayName: string;
  tracks: TrackKind[];
}

interface CreateSessionFormProps {
  meetingID: string;
  isOpen: boolean;
  onClose: () => void;
  onCreated: (session: ExternalSession) => void;
}

function CreateSessionForm({ meetingID, isOpen, onClose, onCreated }: CreateSessionFormProps) {
  const form = useForm<Values>({
    initialValues: { displayName: '', tracks: ['video', 'audio'] },
    validate: {
      displayName: needed('Enter a name.'),
      tracks: tracks => (tracks.length === 0 ? 'Choose at least one.' : null),
    },
  });
  return (
    <FormModal
      title="Create session for an encoder"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ displayName, tracks }) =>
        sessions.create(meetingID, { displayName, ingest: { protocol: 'whip', tracks } })
      }
      onDone={onCreated}
      changes={['externalSession']}
    >
      <TextInput label="Name" maxLength={64} data-autofocus {...form.getInputProps('displayName')} />
      <Checkbox.Group label="Tracks" {...form.getInputProps('tracks')}>
        <Group mt="xs">
          {choicesOf(trackNames).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
    </FormModal>
  );
}
