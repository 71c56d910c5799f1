import { Checkbox, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../parts/form-modal.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { sessions, type ExternalSession, type TrackKind } from './meeting-api.js';

const kinds = ['video', 'audio'] as const satisfies readonly TrackKind[];

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

export function CreateSessionForm({ meetingID, isOpen, onClose, onCreated }: CreateSessionFormProps) {
  const form = useForm<Values>({
    initialValues: { displayName: '', tracks: [...kinds] },
    validate: {
      displayName: name => (name.trim() === '' ? texts.displayNameNeeded : null),
      tracks: tracks => (tracks.length === 0 ? texts.tracksNeeded : null),
    },
  });
  return (
    <FormModal
      title={texts.createSession}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ displayName, tracks }) =>
        sessions.create(meetingID, { displayName, ingest: { protocol: 'whip', tracks } })
      }
      onDone={onCreated}
      changes={['externalSession']}
    >
      <TextInput label={texts.displayName} maxLength={64} data-autofocus {...form.getInputProps('displayName')} />
      <Checkbox.Group label={texts.tracks} {...form.getInputProps('tracks')}>
        <Group mt="xs">
          {kinds.map(kind => (
            <Checkbox key={kind} value={kind} label={texts.kinds[kind]} />
          ))}
        </Group>
      </Checkbox.Group>
    </FormModal>
  );
}
