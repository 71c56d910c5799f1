import { Card, Center, Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '../parts/page.js';
import { Brand, ColorSchemeMenu } from './header.js';

/** A page with one card, for users who are not signed in. */
export function SignedOutPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400}>
        <Group justify="space-between">
          <Brand />
          <ColorSchemeMenu />
        </Group>
        <Card shadow="sm" radius="lg" p="xl">
          <Title order={1} size="h3" mb="lg">
            {title}
          </Title>
          {children}
        </Card>
      </Stack>
    </Center>
  );
}
