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
  IconUserShield,
  IconUsers,
  IconVideo,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { frameTexts } from '../texts/frame.js';

/** In the order of the navigation. */
export const pageGroups = ['monitor', 'access', 'settings', 'ai', 'developer', 'platform'] as const;

export interface PageEntry {
  /** Below `/dashboard`; `:name` is a parameter, read with `useParams`. */
  path: string;
  title: string;
  group: (typeof pageGroups)[number];
  roles: readonly DashboardRole[];
  /** A page without one is reached from another page only. */
  icon?: Icon;
  load: () => Promise<{ default: ComponentType }>;
}

const owner = ['owner'] as const;
const administrator = ['administrator'] as const;
const titles = frameTexts.pages;

/** Every page. A new one is one entry here, in the order of its group. */
export const pages: readonly PageEntry[] = [
  {
    path: '/',
    title: titles.overview,
    group: 'monitor',
    roles: owner,
    icon: IconLayoutDashboard,
    load: () => import('./overview/overview-page.js'),
  },
  {
    path: '/rooms',
    title: titles.rooms,
    group: 'monitor',
    roles: owner,
    icon: IconVideo,
    load: () => import('./rooms/rooms-page.js'),
  },
  {
    path: '/rooms/:meetingID',
    title: titles.room,
    group: 'monitor',
    roles: owner,
    load: () => import('./rooms/room-page.js'),
  },
  {
    path: '/balance',
    title: titles.balance,
    group: 'monitor',
    roles: owner,
    icon: IconCoins,
    load: () => import('./balance/balance-page.js'),
  },
  {
    path: '/logs',
    title: titles.logs,
    group: 'monitor',
    roles: owner,
    icon: IconListDetails,
    load: () => import('./logs/logs-page.js'),
  },
  {
    path: '/api-keys',
    title: titles.apiKeys,
    group: 'access',
    roles: owner,
    icon: IconKey,
    load: () => import('./api-keys/api-keys-page.js'),
  },
  {
    path: '/domains',
    title: titles.domains,
    group: 'access',
    roles: owner,
    icon: IconWorld,
    load: () => import('./domains/domains-page.js'),
  },
  {
    path: '/event-settings',
    title: titles.eventSettings,
    group: 'settings',
    roles: owner,
    icon: IconAdjustments,
    load: () => import('./event-settings/event-settings-page.js'),
  },
  {
    path: '/agents',
    title: titles.agents,
    group: 'ai',
    roles: owner,
    icon: IconRobot,
    load: () => import('./agents/agents-page.js'),
  },
  {
    path: '/agents/import',
    title: titles.importAgent,
    group: 'ai',
    roles: owner,
    load: () => import('./agents/import-agent-page.js'),
  },
  {
    path: '/profile',
    title: titles.profile,
    group: 'access',
    roles: ['owner', 'administrator'],
    load: () => import('./profile/profile-page.js'),
  },
  {
    path: '/sub-users',
    title: titles.subUsers,
    group: 'access',
    roles: owner,
    icon: IconUsers,
    load: () => import('./sub-users/sub-users-page.js'),
  },
  {
    path: '/audit-log',
    title: titles.auditLog,
    group: 'access',
    roles: owner,
    icon: IconHistory,
    load: () => import('./audit-log/audit-log-page.js'),
  },
  {
    path: '/recording-settings',
    title: titles.recordingSettings,
    group: 'settings',
    roles: owner,
    icon: IconPlayerRecord,
    load: () => import('./recording-settings/recording-settings-page.js'),
  },
  {
    path: '/sip',
    title: titles.sipConfigs,
    group: 'settings',
    roles: owner,
    icon: IconPhone,
    load: () => import('./sip-configs/sip-configs-page.js'),
  },
  {
    path: '/ai-credentials',
    title: titles.aiCredentials,
    group: 'ai',
    roles: owner,
    icon: IconSparkles,
    load: () => import('./ai-credentials/ai-credentials-page.js'),
  },
  {
    path: '/translation',
    title: titles.translationConfigs,
    group: 'ai',
    roles: owner,
    icon: IconLanguage,
    load: () => import('./translation-configs/translation-configs-page.js'),
  },
  {
    path: '/accounts',
    title: titles.accounts,
    group: 'platform',
    roles: administrator,
    icon: IconBuilding,
    load: () => import('./administration/accounts-page.js'),
  },
  {
    path: '/accounts/:accountID',
    title: titles.account,
    group: 'platform',
    roles: administrator,
    load: () => import('./administration/account-page.js'),
  },
  {
    path: '/users',
    title: titles.users,
    group: 'platform',
    roles: administrator,
    icon: IconUserShield,
    load: () => import('./administration/users-page.js'),
  },
  {
    path: '/features',
    title: titles.features,
    group: 'platform',
    roles: administrator,
    icon: IconToggleLeft,
    load: () => import('./administration/features-page.js'),
  },
  {
    path: '/nodes',
    title: titles.nodes,
    group: 'platform',
    roles: administrator,
    icon: IconServer,
    load: () => import('./administration/nodes-page.js'),
  },
  {
    path: '/audit-log',
    title: titles.auditLog,
    group: 'platform',
    roles: administrator,
    icon: IconHistory,
    load: () => import('./audit-log/audit-log-page.js'),
  },
  {
    path: '/',
    title: titles.accounts,
    group: 'platform',
    roles: administrator,
    load: () => import('./administration/start-page.js'),
  },
  {
    path: '/sandbox',
    title: titles.sandbox,
    group: 'developer',
    roles: owner,
    icon: IconFlask,
    load: () => import('./sandbox/sandbox-page.js'),
  },
];

export function pagesOf(role: DashboardRole): readonly PageEntry[] {
  return pages.filter(({ roles }) => roles.includes(role));
}
