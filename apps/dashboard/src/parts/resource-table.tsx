import { ActionIcon, Card, Group, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Listing, PageOf } from '../api/resource.js';
import { numberText } from './formats.js';
import { EmptyLine, EmptyState, LoadFailure, Section, Waiting, type EmptyStateProps } from './page.js';

export interface Column<Item> {
  header: string;
  cell: (item: Item) => ReactNode;
  /** Narrower screens hide the column. */
  visibleFrom?: 'sm' | 'md' | 'lg' | 'xl';
}

interface ResourceTableProps<Item> {
  /** Names the rows for screen readers: "Domains". */
  label: string;
  /** The kind, then everything else that the rows depend on. The table adds the page. */
  queryKey: QueryKey;
  list: (page: PageOf, signal: AbortSignal) => Promise<Listing<Item>>;
  rowKey: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** At the end of a row. */
  rowActions?: (item: Item) => ReactNode;
  /** Takes the place of the table if the list is empty. */
  empty: EmptyStateProps;
  pageSize?: number;
  /** One of several lists of a page. If it is empty, it takes one line. */
  isPart?: boolean;
  /** For data that no event announces. */
  refetchMs?: number;
}

/** A list, page by page. It shows its own loading, failure and emptiness. */
export function ResourceTable<Item>(props: ResourceTableProps<Item>) {
  const { pageSize = 20, label } = props;
  const [startIndex, setStartIndex] = useState(0);
  const { data, error, isPlaceholderData, refetch } = useListing(props, { startIndex, pageSize });
  // After deletions the shown page can lie behind the last one.
  if (data && data.startIndex >= Math.max(data.total, 1)) setStartIndex(lastStart(data.total, pageSize));
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  return (
    <Card p={0} aria-busy={data === undefined || isPlaceholderData}>
      <Content {...props} listing={data} />
      {data && <Pager label={label} listing={data} onMove={setStartIndex} />}
    </Card>
  );
}

interface TableSectionProps<Item> extends Omit<ResourceTableProps<Item>, 'label'> {
  title: string;
  /** Beside the heading. */
  actions?: ReactNode;
}

/** A list with its own heading. */
export function TableSection<Item>({ title, actions, ...table }: TableSectionProps<Item>) {
  return (
    <Section title={title} actions={actions}>
      <ResourceTable label={title} isPart {...table} />
    </Section>
  );
}

function useListing<Item>({ queryKey, list, refetchMs }: ResourceTableProps<Item>, page: PageOf) {
  return useQuery({
    queryKey: [...queryKey, page],
    queryFn: ({ signal }) => list(page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs ?? false,
  });
}

function lastStart(total: number, pageSize: number): number {
  return Math.max(0, Math.floor((total - 1) / pageSize) * pageSize);
}

function Content<Item>(props: ResourceTableProps<Item> & { listing: Listing<Item> | undefined }) {
  if (props.listing?.total !== 0) return <Rows {...props} items={props.listing?.items} />;
  return props.isPart === true ? <EmptyLine {...props.empty} /> : <EmptyState {...props.empty} />;
}

function Rows<Item>(props: ResourceTableProps<Item> & { items: Item[] | undefined }) {
  const { label, columns, rowKey, rowActions, items } = props;
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label={label} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, visibleFrom }) => (
              <Table.Th key={header} scope="col" {...(visibleFrom && { visibleFrom })}>
                {header}
              </Table.Th>
            ))}
            {rowActions && (
              <Table.Th scope="col" w={1}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items === undefined && <LoadingRows columnCount={columns.length + (rowActions ? 1 : 0)} />}
          {items?.map(item => (
            <Table.Tr key={rowKey(item)}>
              {columns.map(({ header, cell, visibleFrom }) => (
                <Table.Td key={header} {...(visibleFrom && { visibleFrom })}>
                  {cell(item)}
                </Table.Td>
              ))}
              {rowActions && (
                <Table.Td>
                  <Group gap={4} wrap="nowrap" justify="flex-end">
                    {rowActions(item)}
                  </Group>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LoadingRows({ columnCount }: { columnCount: number }) {
  return [1, 2, 3].map(row => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columnCount}>{row === 1 ? <Waiting h={18} /> : <Skeleton h={18} />}</Table.Td>
    </Table.Tr>
  ));
}

interface PagerProps {
  label: string;
  listing: Listing<unknown>;
  onMove: (startIndex: number) => void;
}

function Pager({ label, listing: { startIndex, pageSize, total, items, isTotalKnown = true }, onMove }: PagerProps) {
  const end = startIndex + items.length;
  if (total <= pageSize) return null;
  return (
    <Group component="nav" aria-label={`Pages of ${label}`} justify="flex-end" px="md" py="xs" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {`${numberText(startIndex + 1)}–${numberText(end)}${isTotalKnown ? ` of ${numberText(total)}` : ''}`}
      </Text>
      <ActionIcon
        variant="default"
        aria-label="Previous page"
        disabled={startIndex === 0}
        onClick={() => onMove(Math.max(0, startIndex - pageSize))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label="Next page"
        disabled={end >= total}
        onClick={() => onMove(startIndex + pageSize)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
