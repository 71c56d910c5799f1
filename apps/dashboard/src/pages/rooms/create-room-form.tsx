import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { rooms, type ActionFields, type Room } from '../../api/resource.js';
import { SwitchField } from '../../parts/fields.js';
import { choicesOf, FormModal, needed, wholeNumber } from '../../parts/forms.js';
import { eventTypeNames } from '../../parts/values.js';

type RoomFields = ActionFields<'CreateRoomBody'>;

const longestMinutes = 1440;
const largestCapacity = 100_000;

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

/** Leaves empty fields out, so that the service uses its defaults. */
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
    validate: {
      userName: needed('Enter a name.'),
      duration: wholeNumber(1, longestMinutes, 'Enter 1 to 1,440 minutes.'),
      capacity: wholeNumber(2, largestCapacity, 'Enter a whole number from 2 to 100,000.'),
      secureCode: code => (/^(?:.{5,64})?$/su.test(code) ? null : 'Enter 5 to 64 characters, or nothing.'),
    },
  });
  return (
    <FormModal
      title="Create room"
      submitLabel="Create room"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => rooms.create(fieldsOf(values))}
      success="The room was created."
      onDone={onCreated}
      changes={['room']}
    >
      <TextInput
        label="Host name"
        description="The name of the first participant."
        maxLength={64}
        data-autofocus
        {...form.getInputProps('userName')}
      />
      <TextInput
        label="Room name"
        description="Optional. Two active rooms cannot have the same name."
        maxLength={64}
        {...form.getInputProps('roomName')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput label="Length in minutes" min={1} max={longestMinutes} {...form.getInputProps('duration')} />
        <NumberInput label="Capacity" min={2} max={largestCapacity} {...form.getInputProps('capacity')} />
      </SimpleGrid>
      <Select
        label="Type"
        data={choicesOf(eventTypeNames)}
        placeholder="The account’s default"
        clearable
        {...form.getInputProps('eventType')}
      />
      <TextInput
        label="Secure code"
        description="Optional, 5 to 64 characters. Participants need it to join."
        maxLength={64}
        autoComplete="off"
        {...form.getInputProps('secureCode')}
      />
      <SwitchField form={form} name="recordOnStart" label="Record from the start" />
    </FormModal>
  );
}
