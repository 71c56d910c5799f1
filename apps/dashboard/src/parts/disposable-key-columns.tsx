import { Text, Tooltip } from '@mantine/core';
import type { ApiRecord } from '../api/records.js';
import { apiKeysTexts as texts } from '../texts/api-keys.js';
import type { Column } from './resource-table.js';
import { StateBadge } from './state-badge.js';
import { Time } from './time.js';

/** What a list of disposable keys says of each. */
export const disposableKeyColumns: readonly Column<ApiRecord<'DisposableKey'>>[] = [
  {
    header: texts.name,
    cell: ({ name, maskedKey }) => (
      <>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" ff="monospace">
          {maskedKey}
        </Text>
      </>
    ),
  },
  { header: texts.type, cell: ({ type }) => texts.types[type], visibleFrom: 'sm' },
  { header: texts.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: texts.operations,
    cell: ({ operations }) => (
      <Tooltip label={operations.join(', ')} multiline maw={320}>
        <Text size="sm" tabIndex={0} w="fit-content">
          {texts.operationCount(operations.length)}
        </Text>
      </Tooltip>
    ),
    visibleFrom: 'md',
  },
  { header: texts.expiresAt, cell: ({ expiresAt }) => <Time value={expiresAt} />, visibleFrom: 'sm' },
  { header: texts.lastUsedAt, cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />, visibleFrom: 'lg' },
];
