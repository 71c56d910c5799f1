import { Stack, Tabs } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconListDetails } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { EmptyState } from '../../parts/empty-state.js';
import { IconButton } from '../../parts/icon-button.js';
import { Page } from '../../parts/page.js';
import { ResourceTable } from '../../parts/resource-table.js';
import { logsTexts as texts } from '../../texts/logs.js';
import { CallDetails } from './call-details.js';
import { logColumns } from './log-columns.js';
import { LogFilters, noFilter } from './log-filters.js';
import { listLog, type LogEntries, type LogFilter, type LogKind, type SipCallLog } from './logs-api.js';

const kinds = Object.keys(texts.kinds) as LogKind[];
/** Nothing tells of messages and calls. */
const refetchMs = 15_000;
const typingMs = 300;

export default function LogsPage() {
  const [filter, setFilter] = useState(noFilter);
  const [applied] = useDebouncedValue(filter, typingMs);
  const [opened, setOpened] = useState<SipCallLog>();
  return (
    <Page title={texts.title} description={texts.description}>
      <Stack>
        <LogFilters filter={filter} onChange={setFilter} />
        <Tabs defaultValue="room" keepMounted={false}>
          <Tabs.List mb="md">
            {kinds.map(kind => (
              <Tabs.Tab key={kind} value={kind}>
                {texts.kinds[kind]}
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
                  label={texts.openCall(call.callerNumber)}
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
      label={texts.kinds[kind]}
      queryKey={shownKey('log', kind, filter)}
      list={(page, signal) => listLog(kind, filter, page, signal)}
      rowKey={({ logID }) => logID}
      columns={logColumns[kind]}
      {...(rowActions && { rowActions })}
      empty={<EmptyState icon={IconListDetails} title={texts.empty[kind]} text={texts.emptyText} />}
      refetchMs={refetchMs}
    />
  );
}
