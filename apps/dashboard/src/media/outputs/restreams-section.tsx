import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerStop, IconShare3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { broadcasts, isOver, restreams, sessions, type Broadcast, type Restream } from '../../api/meetings.js';
import { shownKey } from '../../api/resource.js';
import { useMay } from '../../api/session.js';
import { ConfirmButton } from '../../parts/buttons.js';
import { choicesOf, FormModal, needed } from '../../parts/forms.js';
import { Section } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { StateBadge, Time, TwoLines } from '../../parts/values.js';
import { endTexts } from '../reasons.js';

const pageSize = 5;
/** No event announces another attempt. */
const refetchMs = 10_000;

type Protocol = Restream['target']['protocol'];

const protocolTexts: Readonly<Record<Protocol, string>> = {
  rtmps: 'RTMPS',
  rtmp: 'RTMP (not encrypted)',
  srt: 'SRT',
  whip: 'WHIP',
};

/** The path and the parameters of a target may hold a secret. */
function hostOf({ protocol, url }: Restream['target']): string {
  const host = URL.canParse(url) ? new URL(url).host : 'Unknown host';
  return `${host} by ${protocol.toUpperCase()}`;
}

/** Why the restream ended or does not reach its target, in words. null: it does. */
function reasonOf({ state, endReason, lastProblem, retryCount }: Restream): string | null {
  if (endReason !== null && (endReason !== 'target_refused' || lastProblem === null)) return endTexts[endReason];
  if (lastProblem === null || state === 'active') return null;
  if (state !== 'retrying' || retryCount === 0) return lastProblem.message;
  return `${lastProblem.message} Failed attempts: ${retryCount}.`;
}

const columns: readonly Column<Restream>[] = [
  { header: 'Target', cell: ({ target }) => <TwoLines first={hostOf(target)} /> },
  {
    header: 'State',
    cell: restream => <TwoLines first={<StateBadge state={restream.state} />} second={reasonOf(restream)} />,
  },
  {
    header: 'Source',
    cell: ({ broadcastID }) => (broadcastID === null ? 'External session' : 'Broadcast'),
    visibleFrom: 'md',
  },
  { header: 'Created', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'md' },
];

interface RestreamsSectionProps {
  meetingID: string;
  /** Only restreams of this external session. */
  sourceSessionID?: string;
  /** The source can be sent. */
  isOpen: boolean;
}

/** Media on its way to services such as YouTube: a list, a form that starts one, and a button that ends it. */
export function RestreamsSection({ meetingID, sourceSessionID, isOpen }: RestreamsSectionProps) {
  const mayChange = useMay('broadcastMedia');
  const [isCreating, { open, close }] = useDisclosure();
  const start = isOpen && mayChange && (
    <Button variant="light" leftSection={<IconShare3 size={16} aria-hidden />} onClick={open}>
      Send to another service
    </Button>
  );
  return (
    <Section title="Restreams" actions={start}>
      <ResourceTable
        label="Restreams"
        isPart
        queryKey={shownKey('restream', 'list', meetingID, sourceSessionID)}
        list={(page, signal) => restreams.list(meetingID, { ...page, sourceSessionID }, signal)}
        rowKey={({ restreamID }) => restreamID}
        columns={columns}
        rowActions={restream =>
          mayChange &&
          !isOver(restream) && (
            <ConfirmButton
              label={`Stop sending to ${hostOf(restream.target)}`}
              icon={IconPlayerStop}
              title="Stop this restream?"
              text="The target receives no more media."
              confirmLabel="Stop"
              run={() => restreams.end(meetingID, restream.restreamID)}
              success="The restream was stopped."
              changes={['restream']}
            />
          )
        }
        empty={{
          icon: IconShare3,
          title: 'No restreams yet',
          text: 'A restream sends a session or a broadcast to a service such as YouTube.',
        }}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
      <RestreamForm {...{ meetingID, sourceSessionID }} isOpen={isCreating} onClose={close} />
    </Section>
  );
}

interface Values {
  /** The ID of an external session or a broadcast. */
  source: string;
  protocol: Protocol;
  url: string;
  streamKey: string;
  passphrase: string;
}

interface RestreamFormProps extends Pick<RestreamsSectionProps, 'meetingID' | 'sourceSessionID'> {
  isOpen: boolean;
  onClose: () => void;
}

const keyTexts: Readonly<Record<Protocol, string>> = {
  rtmps: 'Stream key',
  rtmp: 'Stream key',
  srt: 'Stream ID, if the target needs one',
  whip: 'Bearer token, if the target needs one',
};

function RestreamForm({ meetingID, sourceSessionID, isOpen, onClose }: RestreamFormProps) {
  const sources = useSources(meetingID, isOpen && sourceSessionID === undefined);
  const form = useForm<Values>({
    initialValues: { source: sourceSessionID ?? '', protocol: 'rtmps', url: '', streamKey: '', passphrase: '' },
    validate: {
      source: needed('Choose a source.'),
      url: needed('Enter the address of the target.'),
      streamKey: (key, { protocol }) =>
        key === '' && protocol.startsWith('rtmp') ? 'Enter the stream key of the target.' : null,
    },
  });
  return (
    <FormModal
      title="Send to another service"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submitLabel="Start"
      run={values => restreams.create(meetingID, bodyOf(values))}
      success="The restream starts."
      changes={['restream']}
    >
      {sourceSessionID === undefined && (
        <Select
          label="Media to send"
          placeholder={sources.length === 0 ? 'No active session or broadcast' : 'Choose one'}
          data={sources}
          allowDeselect={false}
          {...form.getInputProps('source')}
        />
      )}
      <Select
        label="Protocol"
        data={choicesOf(protocolTexts)}
        allowDeselect={false}
        {...form.getInputProps('protocol')}
      />
      <TextInput
        label="Address"
        description="Without the key: everybody who reads this account sees the address."
        placeholder="rtmps://live.example.com/app"
        maxLength={500}
        {...form.getInputProps('url')}
      />
      <KeyFields form={form} />
    </FormModal>
  );
}

function KeyFields({ form }: { form: UseFormReturnType<Values> }) {
  const { protocol } = form.values;
  return (
    <>
      <PasswordInput
        label={keyTexts[protocol]}
        description="Nobody can read it again."
        autoComplete="off"
        maxLength={512}
        {...form.getInputProps('streamKey')}
      />
      {protocol === 'srt' && (
        <PasswordInput
          label="Passphrase, if the target needs one"
          autoComplete="off"
          maxLength={79}
          {...form.getInputProps('passphrase')}
        />
      )}
    </>
  );
}

function bodyOf({ source, protocol, url, streamKey, passphrase }: Values) {
  return {
    ...(source.startsWith('bcast_') ? { broadcastID: source } : { sourceSessionID: source }),
    target: {
      ...{ protocol, url: url.trim() },
      ...(streamKey !== '' && { streamKey }),
      ...(protocol === 'srt' && passphrase !== '' && { passphrase }),
    },
  };
}

const broadcastTexts: Readonly<Record<Broadcast['layout'], string>> = {
  source: 'Broadcast of one source',
  grid: 'Whole room, grid',
  speaker: 'Whole room, speaker',
  single: 'Whole room, main picture',
};

/** The active sources of a room. */
function useSources(meetingID: string, isWanted: boolean) {
  const { data = [] } = useQuery({
    queryKey: shownKey('restream', 'sources', meetingID),
    enabled: isWanted,
    queryFn: async ({ signal }) => {
      const page = { startIndex: 0, pageSize: 100 };
      const [running, published] = await Promise.all([
        broadcasts.list(meetingID, page, signal),
        sessions.list(meetingID, page, signal),
      ]);
      const isActive = ({ state }: { state: string }) => state === 'active';
      return [
        ...running.items
          .filter(isActive)
          .map(({ broadcastID, layout }) => ({ value: broadcastID, label: broadcastTexts[layout] })),
        ...published.items
          .filter(isActive)
          .map(({ sessionID, displayName }) => ({ value: sessionID, label: displayName })),
      ];
    },
  });
  return data;
}
