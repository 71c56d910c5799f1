import {
  Alert,
  Anchor,
  Button,
  Group,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
  type SkeletonProps,
} from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconAlertTriangle, IconChevronLeft, IconDatabase, type Icon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { messageOf } from './messages.js';

export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} · RTMS`);
}

interface PageProps {
  title: string;
  description?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  /** For records that no part of this service uses: what an application can do with them. */
  storedOnly?: string | undefined;
  children: ReactNode;
}

export function Page({ title, description, actions, storedOnly, children }: PageProps) {
  usePageTitle(title);
  return (
    <Stack gap="lg" maw={1280} mx="auto">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} maw={680}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {description !== undefined && (
            <Text component="div" c="dimmed">
              {description}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {storedOnly !== undefined && (
        <Alert color="gray" role="note" title="Stored only" icon={<IconDatabase aria-hidden />}>
          {storedOnly}
        </Alert>
      )}
      {children}
    </Stack>
  );
}

export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <Anchor component={Link} href={href} size="sm">
      <IconChevronLeft size={14} aria-hidden /> {label}
    </Anchor>
  );
}

interface SectionProps {
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page, with its own heading. */
export function Section({ title, text, actions, children }: SectionProps) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {text !== undefined && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}

export interface EmptyStateProps {
  title: string;
  /** Says how entries get into the list. */
  text: string;
  icon: Icon;
}

export function EmptyState({ title, text, icon: EmptyIcon }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <EmptyIcon size={26} stroke={1.5} />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" size="sm" maw={440}>
        {text}
      </Text>
    </Stack>
  );
}

/** An empty list among others: what is missing, and how entries get there. */
export function EmptyLine({ title, text }: EmptyStateProps) {
  return (
    <Group gap="xs" px="md" py="sm">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}

interface LoadFailureProps {
  error: unknown;
  title?: string;
  onRetry: () => void;
}

export function LoadFailure({ error, title = 'This could not be loaded', onRetry }: LoadFailureProps) {
  return (
    <Alert color="red" title={title} role="alert" icon={<IconAlertTriangle aria-hidden />}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{messageOf(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Takes the place of data that is being fetched. */
export function Waiting(size: SkeletonProps) {
  return <Skeleton {...size} role="progressbar" aria-label="Loading" />;
}

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** The height of the placeholder, in pixels. */
  height: number;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query; before that a placeholder, or the failure with a button to try again. */
export function Loaded<Data>({ query: { data, error, refetch }, height, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  return error ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Waiting h={height} />;
}
