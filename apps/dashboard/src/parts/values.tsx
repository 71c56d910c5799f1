import { Badge, Card, Group, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CopyButton } from './buttons.js';
import { numberText, timeText } from './formats.js';

export const environmentNames = { all: 'Both', sandbox: 'Sandbox', production: 'Production' } as const;

export const accountRoleNames = { viewer: 'Viewer', developer: 'Developer', owner: 'Owner' } as const;
export const roleNames = { ...accountRoleNames, administrator: 'Administrator' } as const;

export const entitlementNames = {
  whip: 'WHIP ingest',
  whep: 'WHEP playback',
  hls: 'HLS broadcast',
  recording: 'Recording',
} as const;

export const protocolNames = {
  whip: 'WHIP',
  'service-webrtc': 'Client SDK',
  srt: 'SRT',
  rtmp: 'RTMP',
  rtmps: 'RTMPS',
} as const;

export const eventTypeNames = {
  conference: 'Conference',
  webinar: 'Webinar',
  broadcast: 'Broadcast',
  chat: 'Chat',
} as const;

export const aiKindNames = {
  stt: 'Speech to text',
  llm: 'Language model',
  tts: 'Text to speech',
  realtime: 'Realtime',
} as const;

const colors: Readonly<Record<string, string>> = {
  active: 'teal',
  live: 'teal',
  ready: 'teal',
  enabled: 'teal',
  recording: 'red',
  pending: 'yellow',
  starting: 'yellow',
  connecting: 'yellow',
  retrying: 'orange',
  overlapping: 'yellow',
  processing: 'yellow',
  interrupted: 'orange',
  paused: 'orange',
  draining: 'orange',
  failed: 'red',
  revoked: 'red',
};

/** A state in words. The color repeats the words, so that nobody depends on the color. */
export function StateBadge({ state, label }: { state: string; label?: string }) {
  return (
    <Badge
      variant="light"
      color={colors[state] ?? 'gray'}
      tt={label === undefined ? 'capitalize' : 'none'}
      miw="max-content"
    >
      {label ?? state}
    </Badge>
  );
}

/** The state of a picture, as the server reports it. */
export function LiveBadge({ isLive, otherwise = 'Waiting for the source' }: { isLive: boolean; otherwise?: string }) {
  // White on the default red has a contrast of 3.84. WCAG 1.4.3 requires 4.5.
  return (
    <Badge color={isLive ? 'red.9' : 'gray'} variant="filled" tt="none" role="status" miw="max-content">
      {isLive ? 'Live' : otherwise}
    </Badge>
  );
}

export function OnOffBadge({ isOn, on = 'On', off = 'Off' }: { isOn: boolean; on?: string; off?: string }) {
  return <StateBadge state={isOn ? 'enabled' : 'disabled'} label={isOn ? on : off} />;
}

export function OutlineBadge({ children }: { children: string }) {
  return (
    <Badge variant="outline" color="gray" tt="none">
      {children}
    </Badge>
  );
}

export function Monospace({ children }: { children: ReactNode }) {
  return (
    <Text span inherit ff="monospace">
      {children}
    </Text>
  );
}

/** A name with a dimmed second line, such as an email address. */
export function TwoLines({ first, second = null }: { first: ReactNode; second?: ReactNode }) {
  return (
    <>
      <Text size="sm" component="div" fw={500}>
        {first}
      </Text>
      {second !== null && (
        <Text size="sm" c="dimmed">
          {second}
        </Text>
      )}
    </>
  );
}

interface TimeProps {
  value: string | null | undefined;
  /** Shows the seconds too. */
  seconds?: boolean;
}

/** In the time zone of the browser, which the tooltip names. */
export function Time({ value, seconds = false }: TimeProps) {
  if (value === null || value === undefined) return 'Never';
  return (
    <time dateTime={value} title={timeText(value, 'full')}>
      {timeText(value, seconds ? 'seconds' : 'short')}
    </time>
  );
}

/** The first 12 characters of an identifier, and a button that copies all of them. */
export function ShortID({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Text size="sm" ff="monospace" title={value}>
        {value.slice(0, 12)}…
      </Text>
      <CopyButton value={value} what={`${what} ${value}`} />
    </Group>
  );
}

interface NumberCardProps {
  label: string;
  value: number;
  icon: Icon;
  /** The page with the counted things. The card is a link to it. */
  href?: string;
}

export function NumberCard({ label, value, icon: CardIcon, href }: NumberCardProps) {
  return (
    <Card padding="md" {...(href !== undefined && { component: Link, href })}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" c="dimmed" fw={500} miw={0}>
          {label}
        </Text>
        <ThemeIcon variant="light" size="md" aria-hidden>
          <CardIcon size={16} />
        </ThemeIcon>
      </Group>
      <Text fz={28} fw={700} lh={1.2} mt="xs">
        {numberText(value)}
      </Text>
    </Card>
  );
}
