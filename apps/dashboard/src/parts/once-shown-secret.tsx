import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { IconEyeExclamation } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.js';
import { CopyButton } from './copy-button.js';
import { monospace } from './monospace.js';

export interface SecretPart {
  label: string;
  value: string;
}

interface OnceShownSecretProps {
  title: string;
  /** Nothing is shown while there is none. */
  parts: readonly SecretPart[] | undefined;
  onClose: () => void;
}

/** A value that the service tells once: it is in this dialog and nowhere else, and gone when the dialog is. */
export function OnceShownSecret({ title, parts, onClose }: OnceShownSecretProps) {
  return (
    <Modal
      opened={parts !== undefined}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
    >
      <Stack>
        <Alert color="yellow" icon={<IconEyeExclamation aria-hidden />}>
          {frameTexts.onceShown}
        </Alert>
        {parts?.map(({ label, value }) => (
          <TextInput
            key={label}
            label={label}
            value={value}
            readOnly
            styles={monospace}
            onFocus={event => event.currentTarget.select()}
            rightSection={<CopyButton value={value} what={label} />}
          />
        ))}
        <Group justify="flex-end">
          <Button onClick={onClose}>{frameTexts.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
