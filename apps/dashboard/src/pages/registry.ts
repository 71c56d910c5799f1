import type { DashboardRole } from '@rtms/contracts';
import {
  IconAdjustments,
  IconBuilding,
  IconCoins,
  IconFlask,
  IconHistory,
  IconKey,
  IconLanguage,
  IconLayoutDashboard,
  IconListDetails,
  IconPhone,
  IconPlayerRecord,
  IconRobot,
  IconServer,
  IconSparkles,
  IconToggleLeft,
  IconUsers,
  IconUserShield,
  IconVideo,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export interface PageEntry {
  /** Below `/dashboard`; `:name` is a parameter, read with `useParams`. */
  path: string;
  title: string;
  load: () => Promise<{ default: ComponentType }>;
  /** A page without an icon is not in the navigation: other pages link to it. */
  icon?: Icon | undefined;
}

export interface PageGroup {
  title: string;
  pages: readonly PageEntry[];
}

function page(path: string, title: string, load: PageEntry['load'], icon?: Icon): PageEntry {
  return { path, title, load, icon };
}

const profile = page('/profile', 'Profile and security', () => import('./profile/profile-page.js'));
const auditLog = page('/audit-log', 'Audit log', () => import('./audit-log/audit-log-page.js'), IconHistory);

/** Every page, in the order of the navigation. */
export const pageGroups: Readonly<Record<DashboardRole, readonly PageGroup[]>> = {
  owner: [
    {
      title: 'Live',
      pages: [
        page('/', 'Overview', () => import('./overview/overview-page.js'), IconLayoutDashboard),
        page('/rooms', 'Rooms', () => import('./rooms/rooms-page.js'), IconVideo),
        page('/rooms/:meetingID', 'Room', () => import('./rooms/room-page.js')),
        page('/balance', 'Balance', () => import('./balance/balance-page.js'), IconCoins),
        page('/logs', 'Logs', () => import('./logs/logs-page.js'), IconListDetails),
      ],
    },
    {
      title: 'Access',
      pages: [
        page('/api-keys', 'API keys', () => import('./api-keys/api-keys-page.js'), IconKey),
        page('/domains', 'Domains', () => import('./domains/domains-page.js'), IconWorld),
        profile,
        page('/sub-users', 'Sub-users', () => import('./sub-users/sub-users-page.js'), IconUsers),
        auditLog,
      ],
    },
    {
      title: 'Settings',
      pages: [
        page(
          '/event-settings',
          'Event settings',
          () => import('./event-settings/event-settings-page.js'),
          IconAdjustments,
        ),
        page(
          '/recording-settings',
          'Recording settings',
          () => import('./recording-settings/recording-settings-page.js'),
          IconPlayerRecord,
        ),
        page('/sip', 'SIP numbers', () => import('./sip-configs/sip-configs-page.js'), IconPhone),
      ],
    },
    {
      title: 'AI',
      pages: [
        page('/agents', 'Agents', () => import('./agents/agents-page.js'), IconRobot),
        page('/agents/import', 'Import an agent', () => import('./agents/import-agent-page.js')),
        page(
          '/ai-credentials',
          'AI credentials',
          () => import('./ai-credentials/ai-credentials-page.js'),
          IconSparkles,
        ),
        page(
          '/translation',
          'Translation',
          () => import('./translation-configs/translation-configs-page.js'),
          IconLanguage,
        ),
      ],
    },
    {
      title: 'Developer',
      pages: [page('/sandbox', 'Sandbox', () => import('./sandbox/sandbox-page.js'), IconFlask)],
    },
  ],
  administrator: [
    {
      title: 'Platform',
      pages: [
        page('/accounts', 'Accounts', () => import('./administration/accounts-page.js'), IconBuilding),
        page('/accounts/:accountID', 'Account', () => import('./administration/account-page.js')),
        page('/users', 'Dashboard users', () => import('./administration/users-page.js'), IconUserShield),
        page('/features', 'Features', () => import('./administration/features-page.js'), IconToggleLeft),
        page('/nodes', 'Media nodes', () => import('./administration/nodes-page.js'), IconServer),
        auditLog,
        profile,
      ],
    },
  ],
};
