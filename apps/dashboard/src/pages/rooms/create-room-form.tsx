import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../parts/form-modal.js';
import { roomsTexts as texts } from '../../texts/rooms.js';
import { rooms, type Room, type RoomFields } from './rooms-api.js';

const longestMinutes = 1440;
const largestCapacity = 100_000;
const eventTypes = Object.entries(texts.eventTypes).map(([value, label]) => ({ value, label }));

interface Values {
  userName: string;
  roomName: string;
  duration: number;
  capacity: number;
  eventType: RoomFields['eventType'];
  secureCode: string;
  recordOnStart: boolean;
}

const initialValues: Values = {
  userName: '',
  roomName: '',
  duration: 60,
  capacity: 20,
  eventType: null,
  secureCode: '',
  recordOnStart: false,
};

/** What was left empty is not sent, so that the service's own defaults hold. */
function fieldsOf({ roomName, secureCode, eventType, ...rest }: Values): RoomFields {
  return {
    ...rest,
    ...(roomName.trim() !== '' && { roomName: roomName.trim() }),
    ...(secureCode !== '' && { secureCode }),
    ...(eventType && { eventType }),
  };
}

interface CreateRoomFormProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (room: Room) => void;
}

export function CreateRoomForm({ isOpen, onClose, onCreated }: CreateRoomFormProps) {
  const form = useForm<Values>({
    initialValues,
    validate: { userName: name => (name.trim() === '' ? texts.userNameNeeded : null) },
  });
  return (
    <FormModal
      title={texts.create}
      submitLabel={texts.create}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => rooms.create(fieldsOf(values))}
      success={texts.created}
      onDone={onCreated}
      changes={['room']}
    >
      <TextInput
        label={texts.userName}
        description={texts.userNameHint}
        maxLength={64}
        data-autofocus
        {...form.getInputProps('userName')}
      />
      <TextInput
        label={texts.roomName}
        description={texts.roomNameHint}
        maxLength={64}
        {...form.getInputProps('roomName')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput label={texts.duration} min={1} max={longestMinutes} {...form.getInputProps('duration')} />
        <NumberInput label={texts.capacity} min={2} max={largestCapacity} {...form.getInputProps('capacity')} />
      </SimpleGrid>
      <Select
        label={texts.eventType}
        data={eventTypes}
        placeholder={texts.accountDefault}
        clearable
        {...form.getInputProps('eventType')}
      />
      <TextInput
        label={texts.secureCode}
        description={texts.secureCodeHint}
        maxLength={64}
        autoComplete="off"
        {...form.getInputProps('secureCode')}
      />
      <Switch label={texts.recordOnStart} {...form.getInputProps('recordOnStart', { type: 'checkbox' })} />
    </FormModal>
  );
}
