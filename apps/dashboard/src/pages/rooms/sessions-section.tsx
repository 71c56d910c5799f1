import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { shownKey } from '../../api/resource.js';
import { Section } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { TwoLines } from '../../parts/values.js';
import { sessions, type ExternalSession } from '../../api/meetings.js';
import { EncoderDialog } from '../../media/hand-over/encoder-access.js';
import { StateAndReason } from '../../media/media-lists.js';
import { SessionActions } from '../../media/session-actions.js';
import { SessionBitrate, SessionHealth, SessionLoss, SessionMedia } from '../../media/session-statistics.js';
import { CreateSessionForm } from './create-session-form.js';

const pageSize = 10;
/** No event announces a session's health. */
const refetchMs = 10_000;

const columns: readonly Column<ExternalSession>[] = [
  {
    header: 'Name',
    cell: ({ meetingID, sessionID, displayName }) => (
      <TwoLines
        first={
          <Anchor component={Link} href={`/rooms/${meetingID}/sessions/${sessionID}`}>
            {displayName}
          </Anchor>
        }
      />
    ),
  },
  { header: 'State', cell: session => <StateAndReason of={session} /> },
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
      <EncoderDialog issued={issued} onIssued={setIssued} onClose={() => setIssued(undefined)} />
    </Section>
  );
}
