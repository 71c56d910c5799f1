import { AppShell, Box, Burger, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DashboardSession } from '@rtms/contracts';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useLiveUpdates } from '../api/live-updates.js';
import { PublishingBar } from '../media/publishing-bar.js';
import { PublishingProvider, usePublishing } from '../media/publishing.js';
import { useContentFocus, useKeptFocus } from './focus.js';
import { Brand, ColorSchemeMenu, EnvironmentSwitch, UserMenu } from './header.js';
import { Navigation } from './navigation.js';
import { NewerNode } from './newer-node.js';
import { Pages } from './pages.js';
import { PasswordConfirmation } from './password-confirmation.js';

/** Header, navigation and the page at the address. */
export default function Frame({ session }: { session: DashboardSession }) {
  return (
    <PublishingProvider>
      <Shell session={session} />
    </PublishingProvider>
  );
}

function Shell({ session }: { session: DashboardSession }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const content = useContentFocus(location);
  useKeptFocus(content);
  useEffect(close, [location, close]);
  const { current } = usePublishing();
  // The page of the room shows the camera itself.
  const hasBar = current !== undefined && location !== `/rooms/${current.meetingID}`;
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      {session.account && <LiveUpdates />}
      <PasswordConfirmation />
      <AppShell
        header={{ height: 60 }}
        navbar={{ width: 250, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        footer={{ height: 68, collapsed: !hasBar }}
        padding={{ base: 'md', sm: 'xl' }}
      >
        <Header session={session} isOpen={isOpen} toggle={toggle} />
        <AppShell.Navbar aria-label="Pages">
          {session.account && (
            <AppShell.Section p="sm" hiddenFrom="sm">
              <EnvironmentSwitch />
            </AppShell.Section>
          )}
          <AppShell.Section grow component={ScrollArea} p="sm" type="auto">
            <Navigation role={session.user.role} />
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="content" ref={content} tabIndex={-1}>
          <NewerNode />
          <Pages role={session.user.role} />
        </AppShell.Main>
        {hasBar && (
          <AppShell.Footer aria-label="Publishing">
            <PublishingBar />
          </AppShell.Footer>
        )}
      </AppShell>
    </>
  );
}

interface HeaderProps {
  session: DashboardSession;
  isOpen: boolean;
  toggle: () => void;
}

function Header({ session, isOpen, toggle }: HeaderProps) {
  return (
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
            aria-expanded={isOpen}
          />
          <Brand />
        </Group>
        <Group gap="sm" wrap="nowrap">
          {session.account && (
            <Box visibleFrom="sm">
              <EnvironmentSwitch />
            </Box>
          )}
          <ColorSchemeMenu />
          <UserMenu session={session} />
        </Group>
      </Group>
    </AppShell.Header>
  );
}

function LiveUpdates() {
  useLiveUpdates();
  return null;
}
