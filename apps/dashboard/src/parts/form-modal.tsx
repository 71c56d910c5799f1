import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, type ReactNode } from 'react';
import { frameTexts } from '../texts/frame.js';
import { messageOf } from './toasts.js';
import { useAction, type ActionOptions } from './use-action.js';

interface FormModalProps<Values, Answer> extends Omit<ActionOptions<Values, Answer>, 'quiet'> {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Of `useForm`; its values go to `run`. Starts from its initial values each time it is opened. */
  form: UseFormReturnType<Values>;
  submitLabel?: string;
  size?: string;
  children: ReactNode;
}

/** A form over the page. It closes when the service took it; a refusal is told above the fields, which stay as they are. */
export function FormModal<Values extends object, Answer>(props: FormModalProps<Values, Answer>) {
  const {
    title,
    isOpen,
    onClose,
    form,
    submitLabel = frameTexts.save,
    size = 'md',
    children,
    onDone,
    ...action
  } = props;
  const { mutate, reset, error, isPending } = useAction<Values, Answer>({
    ...action,
    quiet: true,
    onDone: answer => {
      onClose();
      onDone?.(answer);
    },
  });
  const { reset: resetForm } = form;
  useEffect(() => {
    if (!isOpen) return;
    reset();
    resetForm();
  }, [isOpen, reset, resetForm]);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
    >
      <form onSubmit={form.onSubmit(values => mutate(values))} noValidate>
        <Stack>
          {error && (
            <Alert color="red" role="alert">
              {messageOf(error)}
            </Alert>
          )}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {frameTexts.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
