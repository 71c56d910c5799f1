import { Box, Button, Code, Group, Text, TextInput } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from './buttons.js';
import { monospace } from './forms.js';
import { durationText } from './formats.js';

/** A value to give away, with a button that copies it. */
export function CopyField({ label, value, description }: { label: string; value: string; description?: string }) {
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      styles={monospace}
      onFocus={event => event.currentTarget.select()}
      rightSection={<CopyButton value={value} what={label} />}
    />
  );
}

interface CopyBlockProps {
  /** Names the block for screen readers. */
  label: string;
  value: string;
  /** An easier form of the value to read; the button copies the value. */
  shown?: string;
  /** Shows the label too. */
  withLabel?: boolean;
}

/** Several lines to give away. */
export function CopyBlock({ label, value, shown = value, withLabel = false }: CopyBlockProps) {
  return (
    <Box>
      {withLabel && (
        <Text size="sm" fw={500} mb={2} aria-hidden>
          {label}
        </Text>
      )}
      <Group gap={4} align="flex-start" wrap="nowrap">
        <Code block flex={1} miw={0} tabIndex={0} role="region" aria-label={label}>
          {shown}
        </Code>
        <CopyButton value={value} what={label} />
      </Group>
    </Box>
  );
}

interface ExpiryProps {
  /** The thing that expires: "The token". */
  what: string;
  /** RFC 3339. */
  expiresAt: string;
  renewLabel: string;
  isRenewing: boolean;
  onRenew: () => void;
}

/** Counts down to the end of a token, and renews it. */
export function Expiry({ what, expiresAt, renewLabel, isRenewing, onRenew }: ExpiryProps) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true });
  const seconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000));
  return (
    <Group justify="space-between">
      <Text size="sm" c={seconds === 0 ? 'red' : 'dimmed'} role="timer">
        {seconds === 0 ? `${what} has expired.` : `${what} can be used for ${durationText(seconds)} more.`}
      </Text>
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconRefresh size={14} aria-hidden />}
        loading={isRenewing}
        onClick={onRenew}
      >
        {renewLabel}
      </Button>
    </Group>
  );
}
