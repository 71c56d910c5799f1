import { Badge } from '@mantine/core';

const colors: Readonly<Record<string, string>> = {
  active: 'teal',
  live: 'teal',
  ready: 'teal',
  enabled: 'teal',
  recording: 'red',
  pending: 'yellow',
  starting: 'yellow',
  overlapping: 'yellow',
  processing: 'yellow',
  interrupted: 'orange',
  paused: 'orange',
  draining: 'orange',
  failed: 'red',
  revoked: 'red',
};

/** A state of the service in its own word; the color only adds to it. */
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
