import { hasRole, type AccountRole, type DashboardRole } from '@rtms/contracts';
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
  IconStethoscope,
  IconToggleLeft,
  IconUsers,
  IconUsersGroup,
  IconUserShield,
  IconVideo,
  IconWebhook,
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
  /** The lowest role in an account that has the page. */
  role: AccountRole;
}

export interface PageGroup {
  title: string;
  pages: readonly PageEntry[];
}

function page(
  path: string,
  title: string,
  load: PageEntry['load'],
  icon?: Icon,
  role: AccountRole = 'viewer',
): PageEntry {
  return { path, title, load, icon, role };
}

const profile = page('/profile', 'Profile and security', () => import('./profile/profile-page.js'));
const auditLog = page('/audit-log', 'Audit log', () => import('./audit-log/audit-log-page.js'), IconHistory);

/** Every page, in the order of the navigation. */
const groups = {
  owner: [
    {
      title: 'Live',
      pages: [
        page('/', 'Overview', () => import('./overview/overview-page.js'), IconLayoutDashboard),
        page('/rooms', 'Rooms', () => import('./rooms/rooms-page.js'), IconVideo),
        page('/rooms/:meetingID', 'Room', () => import('./rooms/room-page.js')),
        page('/rooms/:meetingID/sessions/:sessionID', 'External session', () => import('./rooms/session-page.js')),
        page('/help/https', 'HTTPS for the camera', () => import('./rooms/https-page.js')),
        page('/balance', 'Balance', () => import('./balance/balance-page.js'), IconCoins),
        page('/logs', 'Logs', () => import('./logs/logs-page.js'), IconListDetails),
      ],
    },
    {
      title: 'Access',
      pages: [
        page('/api-keys', 'API keys', () => import('./api-keys/api-keys-page.js'), IconKey, 'developer'),
        page('/domains', 'Domains', () => import('./domains/domains-page.js'), IconWorld, 'developer'),
        profile,
        page('/team', 'Team', () => import('./team/team-page.js'), IconUsersGroup, 'owner'),
        page('/sub-users', 'Sub-users', () => import('./sub-users/sub-users-page.js'), IconUsers, 'owner'),
        auditLog,
      ],
    },
    {
      title: 'Settings',
      pages: [
        page(
          '/event-settings',
          'Event settings',
          () => import('./settings/event-settings-page.js'),
          IconAdjustments,
          'developer',
        ),
        page(
          '/recording-settings',
          'Recording settings',
          () => import('./settings/recording-settings-page.js'),
          IconPlayerRecord,
          'developer',
        ),
        page('/sip', 'SIP numbers', () => import('./sip-configs/sip-configs-page.js'), IconPhone, 'developer'),
      ],
    },
    {
      title: 'AI',
      pages: [
        page('/agents', 'Agents', () => import('./agents/agents-page.js'), IconRobot, 'developer'),
        page(
          '/agents/import',
          'Import an agent',
          () => import('./agents/import-agent-page.js'),
          undefined,
          'developer',
        ),
        page(
          '/ai-credentials',
          'AI credentials',
          () => import('./ai-credentials/ai-credentials-page.js'),
          IconSparkles,
          'developer',
        ),
        page(
          '/translation',
          'Translation',
          () => import('./translation-configs/translation-configs-page.js'),
          IconLanguage,
          'developer',
        ),
      ],
    },
    {
      title: 'Developer',
      pages: [
        page('/webhooks', 'Webhooks', () => import('./webhooks/webhooks-page.js'), IconWebhook, 'developer'),
        page('/webhooks/:webhookID', 'Webhook', () => import('./webhooks/webhook-page.js'), undefined, 'developer'),
        page('/api-explorer', 'API explorer', () => import('./sandbox/sandbox-page.js'), IconFlask, 'developer'),
      ],
    },
  ],
  administrator: [
    {
      title: 'Platform',
      pages: [
        page('/', 'Platform', () => import('./administration/platform-page.js'), IconLayoutDashboard),
        page('/accounts', 'Accounts', () => import('./administration/accounts-page.js'), IconBuilding),
        page('/accounts/:accountID', 'Account', () => import('./administration/account-page.js')),
        page('/users', 'Dashboard users', () => import('./administration/users-page.js'), IconUserShield),
        page('/features', 'Features', () => import('./administration/features-page.js'), IconToggleLeft),
        page('/nodes', 'Media nodes', () => import('./administration/nodes-page.js'), IconServer),
        page('/doctor', 'Doctor', () => import('./administration/doctor-page.js'), IconStethoscope),
        auditLog,
        profile,
      ],
    },
  ],
} satisfies Partial<Record<DashboardRole, readonly PageGroup[]>>;

/** The pages of each role. */
export const pageGroups: Readonly<Record<DashboardRole, readonly PageGroup[]>> = {
  ...groups,
  developer: groupsFor('developer'),
  viewer: groupsFor('viewer'),
};

function groupsFor(role: AccountRole): readonly PageGroup[] {
  return groups.owner
    .map(({ title, pages }) => ({ title, pages: pages.filter(each => hasRole(role, each.role)) }))
    .filter(({ pages }) => pages.length > 0);
}
