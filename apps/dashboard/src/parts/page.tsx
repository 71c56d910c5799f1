import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { frameTexts } from '../texts/frame.js';

interface PageProps {
  title: string;
  description?: ReactNode;
  /** What can be done on this page, beside its title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function usePageTitle(title: string): void {
  useDocumentTitle(`${title} · ${frameTexts.product}`);
}

/** Title, what the page is for, its actions, and its content. */
export function Page({ title, description, actions, children }: PageProps) {
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
      {children}
    </Stack>
  );
}
