import { ActionIcon, Button, Checkbox, Group, Menu, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDots, IconPlus, IconTrash, type Icon } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useAction, type ActionOptions } from './actions.js';
import { copyText } from './copy-text.js';

export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

interface IconButtonProps {
  /** Names the thing as well, so that screen readers tell the rows of a table apart. */
  label: string;
  icon: Icon;
  onClick: () => void;
  loading?: boolean;
  color?: string;
}

export function IconButton({ label, icon: ButtonIcon, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" aria-label={label} {...rest}>
        <ButtonIcon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const resultMs = 1_500;

/** `what` names the copied thing: "API key". */
interface CopyButtonProps {
  value: string;
  what: string;
  onCopied?: () => void;
}

export function CopyButton({ value, what, onCopied }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), resultMs);
    return () => clearTimeout(timer);
  }, [result]);
  const label = `Copy ${what}`;
  const texts = { copied: 'Copied', failed: 'The browser did not copy. Select the text and press Ctrl+C.' };
  const copy = async (button: HTMLElement) => {
    const isCopied = await copyText(value, button);
    setResult(isCopied ? 'copied' : 'failed');
    if (isCopied) onCopied?.();
  };
  return (
    <Tooltip label={result === undefined ? label : texts[result]} {...(result !== undefined && { opened: true })}>
      <ActionIcon
        variant="subtle"
        color={result === 'copied' ? 'teal' : 'gray'}
        aria-label={label}
        onClick={({ currentTarget }) => void copy(currentTarget)}
      >
        {result === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

interface ConfirmDialogProps {
  isOpen: boolean;
  close: () => void;
  /** The question. */
  title: string;
  text: ReactNode;
  confirmLabel: string;
  /** A second confirmation: the label of a box that must be ticked first. */
  secondConfirmation?: string | undefined;
  isPending: boolean;
  confirm: () => void;
}

/** Says what a change does, and asks whether to make it. */
export function ConfirmDialog({ isOpen, close, title, ...rest }: ConfirmDialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title={title}>
      <ConfirmForm close={close} {...rest} />
    </Modal>
  );
}

/** Mounted anew each time the dialog opens, so the box begins unticked. */
function ConfirmForm(props: Omit<ConfirmDialogProps, 'isOpen' | 'title'>) {
  const { close, text, confirmLabel, secondConfirmation, isPending, confirm } = props;
  const [isSure, setSure] = useState(false);
  return (
    <Stack>
      <Text size="sm" component="div">
        {text}
      </Text>
      {secondConfirmation !== undefined && (
        <Checkbox
          label={secondConfirmation}
          checked={isSure}
          onChange={event => setSure(event.currentTarget.checked)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red.9"
          loading={isPending}
          disabled={secondConfirmation !== undefined && !isSure}
          onClick={confirm}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Stack>
  );
}

interface ConfirmButtonProps<Answer>
  extends ActionOptions<void, Answer>, Pick<ConfirmDialogProps, 'title' | 'text' | 'secondConfirmation'> {
  /** The name of the button; it names the thing as well. */
  label: string;
  confirmLabel?: string;
  icon?: Icon;
  /** Shows the label on the button instead of an icon alone. */
  withLabel?: boolean;
}

/** Asks before an action that cannot be undone. */
export function ConfirmButton<Answer>(props: ConfirmButtonProps<Answer>) {
  const { label, title, text, secondConfirmation, confirmLabel = 'Delete', icon: ActIcon = IconTrash } = props;
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
      {props.withLabel === true ? (
        <Button color="red" variant="light" leftSection={icon} onClick={open}>
          {label}
        </Button>
      ) : (
        <IconButton color="red" label={label} icon={ActIcon} onClick={open} />
      )}
      <ConfirmDialog
        {...{ isOpen, close, title, text, confirmLabel, secondConfirmation, isPending }}
        confirm={() => mutate()}
      />
    </>
  );
}

export interface MenuAction {
  label: string;
  icon: Icon;
  onClick: () => void;
}

/** The actions of a row, in a menu behind one button. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label: text, icon: ActIcon, onClick }) => (
          <Menu.Item key={text} leftSection={<ActIcon size={16} aria-hidden />} onClick={onClick}>
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
