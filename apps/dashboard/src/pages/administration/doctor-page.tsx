import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../parts/actions.js';
import { EmptyState, Page } from '../../parts/page.js';
import { ResourceTable, type Column } from '../../parts/resource-table.js';
import { counted } from '../../parts/formats.js';
import { StateBadge, TwoLines } from '../../parts/values.js';
import { shownKey } from '../../api/resource.js';
import { runDoctor, type Finding } from './administration-api.js';

/** The worst result first. */
const levels = ['fail', 'warn', 'ok'] as const;
const levelNames = { fail: 'Failed', warn: 'Warning', ok: 'Fine' } as const;
const badgeStates = { fail: 'failed', warn: 'draining', ok: 'enabled' } as const;

const columns: readonly Column<Finding>[] = [
  { header: 'Result', cell: ({ level }) => <StateBadge state={badgeStates[level]} label={levelNames[level]} /> },
  { header: 'Check', cell: ({ check, nodeID }) => <TwoLines first={check} second={nodeID ?? null} /> },
  {
    header: 'Finding',
    cell: ({ message, advice }) => (
      <Stack gap={4}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        {advice !== undefined && (
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {advice}
          </Text>
        )}
      </Stack>
    ),
  },
];

/** The gateway runs the checks of `rtms-admin doctor`, once at a time. */
export default function DoctorPage() {
  const [findings, setFindings] = useState<readonly Finding[]>();
  const { mutate, isPending } = useAction({ run: runDoctor, onDone: setFindings });
  const check = () => {
    setFindings(undefined);
    mutate();
  };
  return (
    <Page
      title="Doctor"
      description="Checks the database, the bus and every media node: clocks, ports, encoders, disks. The checks take some seconds and change nothing."
      actions={
        <Button loading={isPending} leftSection={<IconStethoscope size={16} aria-hidden />} onClick={check}>
          {findings ? 'Check again' : 'Check the platform'}
        </Button>
      }
    >
      {findings ? (
        <Findings findings={findings} />
      ) : (
        <EmptyState icon={IconStethoscope} title="Not checked yet" text="Start the checks to see their results." />
      )}
    </Page>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const items = levels.flatMap(level => findings.filter(each => each.level === level));
  const countOf = (level: Finding['level']) => findings.filter(each => each.level === level).length;
  const [failures, warnings] = [countOf('fail'), countOf('warn')];
  const result = `${counted(findings.length, 'check')}: ${failures} failed, ${counted(warnings, 'warning')}.`;
  return (
    <Stack>
      <Alert color={failures > 0 ? 'red' : warnings > 0 ? 'yellow' : 'teal'} role="status">
        {result}
      </Alert>
      <ResourceTable
        label="Results"
        // The findings have no request of their own.
        queryKey={shownKey('admin', 'findings', findings)}
        list={page =>
          Promise.resolve({
            ...page,
            items: items.slice(page.startIndex, page.startIndex + page.pageSize),
            total: items.length,
          })
        }
        rowKey={each => `${each.nodeID ?? ''} ${each.check} ${each.message}`}
        columns={columns}
        empty={{ icon: IconStethoscope, title: 'No results', text: 'The gateway returned no results.' }}
        pageSize={100}
      />
    </Stack>
  );
}
