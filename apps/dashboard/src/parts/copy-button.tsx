import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.js';

interface CopyButtonProps {
  value: string;
  /** What is copied: "the API key". */
  what?: string;
}

export function CopyButton({ value, what }: CopyButtonProps) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  const label = what === undefined ? frameTexts.copy : frameTexts.copyNamed(what);
  return (
    <Tooltip label={copied ? frameTexts.copied : label} {...(copied && { opened: true })}>
      <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} aria-label={label} onClick={() => copy(value)}>
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
