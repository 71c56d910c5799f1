import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import type { DashboardSession } from '@rtms/contracts';
import { IconLogout, IconUserShield } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useSignOut } from '../api/session.js';
import { frameTexts } from '../texts/frame.js';

export function UserMenu({ session }: { session: DashboardSession }) {
  const signOut = useSignOut();
  const { user, account } = session;
  const initials = user.email.slice(0, 2).toUpperCase();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={frameTexts.userMenu(initials)}>
          <Avatar color="indigo" radius="xl" variant="filled">
            {initials}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {account?.name ?? frameTexts.administrator}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} href="/profile" leftSection={<IconUserShield size={16} aria-hidden />}>
          {frameTexts.pages.profile}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          {frameTexts.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
