import {
  ActionIcon,
  Avatar,
  Group,
  Menu,
  SegmentedControl,
  Text,
  ThemeIcon,
  UnstyledButton,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { DashboardSession } from '@rtms/contracts';
import {
  IconBroadcast,
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserShield,
  type Icon,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { environmentStorageKey, toEnvironment, type ApiEnvironment } from '../api/request.js';
import { useSignOut } from '../api/session.js';
import { choicesOf } from '../parts/forms.js';
import { environmentNames } from '../parts/values.js';

export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <ThemeIcon size={32} radius="md" aria-hidden>
        <IconBroadcast size={20} />
      </ThemeIcon>
      <Text fw={700} size="lg">
        RTMS
      </Text>
    </Group>
  );
}

/** The environment of the shown rooms. A change refetches everything. */
export function EnvironmentSwitch() {
  const client = useQueryClient();
  const [environment, setEnvironment] = useLocalStorage<ApiEnvironment>({
    key: environmentStorageKey,
    defaultValue: 'all',
    getInitialValueInEffect: false,
    serialize: value => value,
    deserialize: toEnvironment,
    sync: true,
  });
  const change = (value: string) => {
    setEnvironment(value as ApiEnvironment);
    void client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' });
  };
  return (
    <SegmentedControl
      aria-label="Environment"
      data={choicesOf(environmentNames)}
      value={environment}
      onChange={change}
      size="xs"
    />
  );
}

const icons: Record<MantineColorScheme, Icon> = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };
const schemeNames = { light: 'Light', dark: 'Dark', auto: 'Same as the system' } as const;

/** Follows the system by default. Mantine stores the choice in this browser. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = icons[colorScheme];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Color scheme">
          <Current size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choicesOf(schemeNames).map(({ value: scheme, label }) => {
          const Choice = icons[scheme];
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Choice size={16} aria-hidden />}
              rightSection={scheme === colorScheme && <IconCheck size={16} aria-hidden />}
              onClick={() => setColorScheme(scheme)}
            >
              {label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

export function UserMenu({ session }: { session: DashboardSession }) {
  const signOut = useSignOut();
  const { user, account } = session;
  const initials = user.email.slice(0, 2).toUpperCase();
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`${initials}: your account`}>
          <Avatar color="indigo" radius="xl" variant="filled">
            {initials}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} truncate>
            {account?.name ?? 'Platform administrator'}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} href="/profile" leftSection={<IconUserShield size={16} aria-hidden />}>
          Profile and security
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
