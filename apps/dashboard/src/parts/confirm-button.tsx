import { ActionIcon, Button, Group, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash, type Icon } from '@tabler/icons-react';
import { frameTexts } from '../texts/frame.js';
import { useAction, type ActionOptions } from './use-action.js';

interface ConfirmButtonProps extends ActionOptions {
  /** Of the button; names the thing, so that a screen reader tells one row's from another's. */
  label: string;
  /** Of the question. */
  title: string;
  text: string;
  confirmLabel?: string;
  icon?: Icon;
  /** With its label, instead of as an icon. */
  withLabel?: boolean;
}

/** Does something that cannot be taken back, once it was confirmed. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, text, confirmLabel = frameTexts.delete, icon: ActIcon = IconTrash, withLabel = false } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    ...props,
    onDone: answer => {
      close();
      props.onDone?.(answer);
    },
  });
  const icon = <ActIcon size={16} aria-hidden />;
  return (
    <>
      {withLabel ? (
        <Button color="red" variant="light" leftSection={icon} onClick={open}>
          {label}
        </Button>
      ) : (
        <Tooltip label={label}>
          <ActionIcon color="red" variant="subtle" aria-label={label} onClick={open}>
            {icon}
          </ActionIcon>
        </Tooltip>
      )}
      <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': frameTexts.close }}>
        <Stack>
          <Text size="sm">{text}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {frameTexts.cancel}
            </Button>
            <Button color="red.9" loading={isPending} onClick={() => mutate()}>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
