import { ActionIcon, Card, Group, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery, type QueryKey } from '@tanstack/react-query';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Listing, PageOf } from '../api/resource.js';
import { frameTexts } from '../texts/frame.js';
import { LoadFailure } from './load-failure.js';
import { Waiting } from './waiting.js';

export interface Column<Item> {
  header: string;
  cell: (item: Item) => ReactNode;
  /** Left out on narrower screens. */
  visibleFrom?: 'sm' | 'md' | 'lg' | 'xl';
}

interface ResourceTableProps<Item> {
  /** What the rows are, for screen readers: "Domains". */
  label: string;
  /** The kind first, then what else the rows depend on; the page is added. */
  queryKey: QueryKey;
  list: (page: PageOf, signal: AbortSignal) => Promise<Listing<Item>>;
  rowKey: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** Buttons at the end of a row. */
  rowActions?: (item: Item) => ReactNode;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
  pageSize?: number;
  /** For what no event tells of. */
  refetchMs?: number;
}

/** A list of the service, page by page, with what is shown while it loads, when it fails and when it is empty. */
export function ResourceTable<Item>(props: ResourceTableProps<Item>) {
  const { pageSize = 20, label } = props;
  const [startIndex, setStartIndex] = useState(0);
  const { data, error, isPlaceholderData, refetch } = useListing(props, { startIndex, pageSize });
  // Rows that were deleted may leave a page behind the last one.
  if (data && data.startIndex >= Math.max(data.total, 1)) setStartIndex(lastStart(data.total, pageSize));
  if (error && !data) return <LoadFailure error={error} onRetry={() => void refetch()} />;
  return (
    <Card p={0} aria-busy={data === undefined || isPlaceholderData}>
      <Content {...props} listing={data} />
      {data && <Pager label={label} listing={data} onMove={setStartIndex} />}
    </Card>
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
  return props.listing?.total === 0 ? props.empty : <Rows {...props} items={props.listing?.items} />;
}

function Rows<Item>({
  label,
  columns,
  rowKey,
  rowActions,
  items,
}: ResourceTableProps<Item> & { items: Item[] | undefined }) {
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
                <VisuallyHidden>{frameTexts.actions}</VisuallyHidden>
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
  const shown = [startIndex + 1, end] as const;
  if (total <= pageSize) return null;
  return (
    <Group component="nav" aria-label={frameTexts.pagination(label)} justify="flex-end" px="md" py="xs" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {isTotalKnown ? frameTexts.page(...shown, total) : frameTexts.pageOfMany(...shown)}
      </Text>
      <ActionIcon
        variant="default"
        aria-label={frameTexts.previousPage}
        disabled={startIndex === 0}
        onClick={() => onMove(Math.max(0, startIndex - pageSize))}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={frameTexts.nextPage}
        disabled={end >= total}
        onClick={() => onMove(startIndex + pageSize)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
