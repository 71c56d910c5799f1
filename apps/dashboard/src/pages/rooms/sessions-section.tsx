import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { shownKey } from '../../api/query-keys.js';
import { EmptyState } from '../../parts/empty-state.js';
import { OnceShownSecret } from '../../parts/once-shown-secret.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { Section } from '../../parts/section.js';
import { StateBadge } from '../../parts/state-badge.js';
import { roomTexts as texts } from '../../texts/rooms.js';
import { CreateSessionForm } from './create-session-form.js';
import { sessions, type ExternalSession } from './meeting-api.js';
import { SessionActions } from './session-actions.js';
import { SessionBitrate, SessionHealth, SessionLoss, SessionMedia } from './session-statistics.js';

const pageSize = 10;
/** Health is told by no event. */
const refetchMs = 10_000;

const columns: readonly Column<ExternalSession>[] = [
  {
    header: texts.name,
    cell: ({ displayName }) => (
      <Text size="sm" fw={500}>
        {displayName}
      </Text>
    ),
  },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  { header: texts.media, cell: session => <SessionMedia session={session} />, visibleFrom: 'sm' },
  { header: texts.bitrate, cell: session => <SessionBitrate session={session} />, visibleFrom: 'sm' },
  { header: texts.loss, cell: session => <SessionLoss session={session} />, visibleFrom: 'md' },
  { header: texts.health, cell: session => <SessionHealth session={session} />, visibleFrom: 'md' },
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
      {texts.createSession}
    </Button>
  );
  return (
    <Section title={texts.sessions} actions={create}>
      <ResourceTable
        label={texts.sessions}
        queryKey={shownKey('externalSession', 'list', meetingID)}
        list={(page, signal) => sessions.list(meetingID, page, signal)}
        rowKey={({ sessionID }) => sessionID}
        columns={columns}
        rowActions={session => isOpen && <SessionActions session={session} onToken={setIssued} />}
        empty={<EmptyState icon={IconPlugConnected} title={texts.sessionsEmpty} text={texts.sessionsEmptyText} />}
        pageSize={pageSize}
        refetchMs={refetchMs}
      />
      <CreateSessionForm meetingID={meetingID} isOpen={isCreating} onClose={close} onCreated={setIssued} />
      <OnceShownSecret
        title={texts.ingestTitle}
        parts={issued && partsOf(issued)}
        onClose={() => setIssued(undefined)}
      />
    </Section>
  );
}

function partsOf({ ingest }: ExternalSession) {
  return [
    { label: texts.ingestUrl, value: ingest.url ?? '' },
    { label: texts.ingestToken, value: ingest.token ?? '' },
  ];
}
