import { Checkbox, Group, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { IngestProtocolsAnswer, IngestProtocolStates, ProtocolObstacle } from '@rtms/contracts';
import { useQuery } from '@tanstack/react-query';
import { sessions, trackNames, type ExternalSession, type NewSession, type TrackKind } from '../../api/meetings.js';
import { dashboardRequest } from '../../api/request.js';
import { shownKey } from '../../api/resource.js';
import { SwitchField } from '../../parts/fields.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';

type Protocol = keyof IngestProtocolStates;
/** The protocol, and for SRT the side that calls. */
type Way = Protocol | 'srt-caller';

const ways: readonly { value: Way; label: string; text: string }[] = [
  { value: 'whip', label: 'WHIP', text: 'OBS 30 or later, FFmpeg 8 or later, GStreamer and browsers.' },
  { value: 'srt', label: 'SRT', text: 'The encoder calls the service. Encrypted.' },
  { value: 'srt-caller', label: 'SRT to an encoder that listens', text: 'The service calls the encoder.' },
  { value: 'rtmps', label: 'RTMPS', text: 'RTMP with encryption.' },
  { value: 'rtmp', label: 'RTMP', text: 'Not encrypted.' },
];

function protocolOf(way: Way): Protocol {
  return way === 'srt-caller' ? 'srt' : way;
}

const obstacleTexts: Readonly<Record<ProtocolObstacle, string>> = {
  disabled_on_platform: 'Switched off on this platform. An administrator can switch it on.',
  disabled_for_account: 'Switched off for this account. An administrator of the platform can switch it on.',
  not_entitled: 'The account has no entitlement to WHIP ingest. An administrator of the platform grants it.',
};

interface Values {
  displayName: string;
  way: Way;
  tracks: TrackKind[];
  url: string;
  passphrase: string;
  streamID: string;
  webrtcRenditions: boolean;
}

interface CreateSessionFormProps {
  meetingID: string;
  isOpen: boolean;
  onClose: () => void;
  onCreated: (session: ExternalSession) => void;
}

/** Creates an external session for an encoder. */
export function CreateSessionForm({ meetingID, isOpen, onClose, onCreated }: CreateSessionFormProps) {
  const { data: states } = useQuery({
    enabled: isOpen,
    queryKey: shownKey('entitlements', 'ingest-protocols'),
    queryFn: async ({ signal }) =>
      (await dashboardRequest<IngestProtocolsAnswer>('GET', '/ingest-protocols', { signal })).ingestProtocols,
  });
  const form = useForm<Values>({
    initialValues: {
      ...{ displayName: '', way: 'whip', tracks: ['video', 'audio'] },
      ...{ url: '', passphrase: '', streamID: '', webrtcRenditions: false },
    },
    validate: {
      displayName: needed('Enter a name.'),
      way: way => (states?.[protocolOf(way)] ? 'Choose a protocol that the account may use.' : null),
      tracks: tracks => (tracks.length === 0 ? 'Choose at least one.' : null),
      url: (url, { way }) =>
        way === 'srt-caller' && !/^srt:\/\/[^/?#\s]+:\d+\/?$/i.test(url.trim())
          ? 'Enter srt://, the host and the port, such as srt://encoder.example.com:9000.'
          : null,
      passphrase: (passphrase, { way }) =>
        way === 'srt-caller' && !/^(?:.{10,79})?$/su.test(passphrase) ? 'Enter 10 to 79 characters, or nothing.' : null,
    },
  });
  return (
    <FormModal
      title="Create session for an encoder"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => sessions.create(meetingID, bodyOf(values))}
      onDone={onCreated}
      changes={['externalSession']}
    >
      <TextInput label="Name" maxLength={64} data-autofocus {...form.getInputProps('displayName')} />
      <WayChoice form={form} states={states} />
      {form.values.way === 'srt-caller' && <CallFields form={form} />}
      <Checkbox.Group label="Tracks" {...form.getInputProps('tracks')}>
        <Group mt="xs">
          {choicesOf(trackNames).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      {mayHaveRenditions(form.values) && (
        <SwitchField
          form={form}
          name="webrtcRenditions"
          label="Smaller pictures for poor networks"
          description="The service encodes half and a quarter of the lines too. The session takes three places instead of one."
        />
      )}
    </FormModal>
  );
}

type FormOf = UseFormReturnType<Values>;

/** Each protocol that the account may not use says why. */
function WayChoice({ form, states }: { form: FormOf; states: IngestProtocolStates | undefined }) {
  return (
    <Radio.Group label="Protocol" {...form.getInputProps('way')}>
      <Stack gap="xs" mt="xs">
        {ways.map(({ value, label, text }) => {
          const obstacle = states?.[protocolOf(value)];
          const description = obstacle ? obstacleTexts[obstacle] : text;
          return <Radio key={value} disabled={Boolean(obstacle)} {...{ value, label, description }} />;
        })}
      </Stack>
    </Radio.Group>
  );
}

function CallFields({ form }: { form: FormOf }) {
  return (
    <>
      <TextInput
        label="Address of the encoder"
        description="A public address with its port."
        placeholder="srt://encoder.example.com:9000"
        maxLength={500}
        {...form.getInputProps('url')}
      />
      <PasswordInput
        label="Passphrase, if the encoder needs one"
        description="Nobody can read it again."
        autoComplete="off"
        maxLength={79}
        {...form.getInputProps('passphrase')}
      />
      <PasswordInput
        label="Stream ID, if the encoder needs one"
        description="Nobody can read it again."
        autoComplete="off"
        maxLength={512}
        {...form.getInputProps('streamID')}
      />
      <Text size="sm" c="dimmed">
        The service calls the encoder until the session ends.
      </Text>
    </>
  );
}

/** WHIP publishers send smaller pictures themselves. */
function mayHaveRenditions({ way, tracks }: Values): boolean {
  return way !== 'whip' && tracks.includes('video');
}

function bodyOf(values: Values): NewSession {
  const { displayName, way, tracks, url, passphrase, streamID } = values;
  return {
    displayName,
    ingest: {
      ...{ protocol: protocolOf(way), tracks },
      ...(mayHaveRenditions(values) && values.webrtcRenditions && { webrtcRenditions: true }),
      ...(way === 'srt-caller' && {
        ...{ mode: 'caller' as const, url: url.trim() },
        ...(passphrase !== '' && { passphrase }),
        ...(streamID !== '' && { streamID }),
      }),
    },
  };
}
