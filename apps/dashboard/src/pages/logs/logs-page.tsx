import { Button, Group, Modal, ScrollArea, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconListDetails } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { shownKey } from '../../api/resource.js';
import { useAddressChoice } from '../../parts/address-choice.js';
import { IconButton } from '../../parts/buttons.js';
import { choicesOf } from '../../parts/forms.js';
import { Page } from '../../parts/page.js';
import { ResourceTable } from '../../parts/resource-table.js';
import { Time } from '../../parts/values.js';
import { logColumns } from './log-columns.js';
import { listLog, type LogEntries, type LogFilter, type LogKind, type SipCallLog } from './logs-api.js';

const kindNames = { room: 'Rooms', recording: 'Recordings', message: 'Messages', call: 'SIP calls' } as const;
const kinds = Object.keys(kindNames) as LogKind[];

const emptyTitles = {
  room: 'No rooms in the log',
  recording: 'No recordings in the log',
  message: 'No messages in the log',
  call: 'No calls in the log',
} as const;

/** No event announces messages and calls. */
const refetchMs = 15_000;
const typingMs = 300;

export default function LogsPage() {
  const [filter, setFilter] = useState(noFilter);
  const [applied] = useDebouncedValue(filter, typingMs);
  const [opened, setOpened] = useState<SipCallLog>();
  const [kind, setKind] = useAddressChoice({ name: 'kind', values: kinds, initial: 'room' });
  return (
    <Page title="Logs" description="Rooms with their usage, recordings, messages and calls. Newest first.">
      <Stack>
        <LogFilters filter={filter} onChange={setFilter} />
        <Tabs value={kind} onChange={setKind} keepMounted={false}>
          <Tabs.List mb="md">
            {choicesOf(kindNames).map(({ value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="room">
            <Log kind="room" filter={applied} />
          </Tabs.Panel>
          <Tabs.Panel value="recording">
            <Log kind="recording" filter={applied} />
          </Tabs.Panel>
          <Tabs.Panel value="message">
            <Log kind="message" filter={applied} />
          </Tabs.Panel>
          <Tabs.Panel value="call">
            <Log
              kind="call"
              filter={applied}
              rowActions={call => (
                <IconButton
                  label={`Show the call of ${call.callerNumber}`}
                  icon={IconListDetails}
                  onClick={() => setOpened(call)}
                />
              )}
            />
          </Tabs.Panel>
        </Tabs>
      </Stack>
      <CallDetails call={opened} onClose={() => setOpened(undefined)} />
    </Page>
  );
}

interface LogProps<Kind extends LogKind> {
  kind: Kind;
  filter: LogFilter;
  rowActions?: (entry: LogEntries[Kind]) => ReactNode;
}

function Log<Kind extends LogKind>({ kind, filter, rowActions }: LogProps<Kind>) {
  return (
    <ResourceTable<LogEntries[Kind]>
      key={JSON.stringify(filter)}
      label={kindNames[kind]}
      queryKey={shownKey('log', kind, filter)}
      list={(page, signal) => listLog(kind, filter, page, signal)}
      rowKey={({ logID }) => logID}
      columns={logColumns[kind]}
      {...(rowActions && { rowActions })}
      empty={{ icon: IconListDetails, title: emptyTitles[kind], text: 'Nothing ran yet, or the filters exclude it.' }}
      refetchMs={refetchMs}
    />
  );
}

interface LogFiltersProps {
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
}

const noFilter: LogFilter = { meetingID: '', from: '', to: '' };

function LogFilters({ filter, onChange }: LogFiltersProps) {
  const input = (name: keyof LogFilter, label: string) => ({
    label,
    value: filter[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ ...filter, [name]: currentTarget.value }),
  });
  const isFiltered = Object.values(filter).some(value => value !== '');
  return (
    <Group role="search" aria-label="Filters" align="flex-end">
      <TextInput placeholder="room_…" w={280} {...input('meetingID', 'Meeting ID')} />
      <TextInput type="datetime-local" w={210} {...input('from', 'From')} />
      <TextInput type="datetime-local" w={210} {...input('to', 'Until')} />
      <Button variant="default" disabled={!isFiltered} onClick={() => onChange(noFilter)}>
        Clear filters
      </Button>
    </Group>
  );
}

/** Summary and transcript of a call. */
function CallDetails({ call, onClose }: { call: SipCallLog | undefined; onClose: () => void }) {
  return (
    <Modal
      opened={call !== undefined}
      onClose={onClose}
      title={call ? `${call.callerNumber} → ${call.calleeNumber}` : 'Call'}
      size="lg"
      scrollAreaComponent={ScrollArea.Autosize}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {call && (
        <Stack>
          <Text size="sm" c="dimmed">
            Started <Time value={call.startedAt} /> · Answered <Time value={call.answeredAt} />
          </Text>
          {call.summary !== null && (
            <div>
              <Title order={3} size="h5">
                Summary
              </Title>
              <Text size="sm">{call.summary}</Text>
            </div>
          )}
          <Transcript call={call} />
        </Stack>
      )}
    </Modal>
  );
}

function Transcript({ call: { transcript } }: { call: SipCallLog }) {
  return (
    <div>
      <Title order={3} size="h5">
        Transcript
      </Title>
      {transcript.length === 0 && <Text size="sm">There is no transcript of this call.</Text>}
      {transcript.map(({ speaker, text, at }) => (
        <Text key={`${at} ${speaker} ${text}`} size="sm">
          <strong>{speaker}</strong> {text}
        </Text>
      ))}
    </div>
  );
}
