import { Alert, Button, Card, Group, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useAction, type ActionOptions } from './actions.js';
import { messageOf, refusalsOf } from './messages.js';

interface FormModalProps<Values, Answer> extends Omit<ActionOptions<Values, Answer>, 'quiet'> {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Its values go to `run`. The dialog forgets them, and the answer, when it closes. */
  form: UseFormReturnType<Values>;
  submitLabel?: string;
  size?: string;
  children: ReactNode;
}

/** A form in a dialog. It closes on success; a refusal is shown at its fields or above them, and they keep their values. */
export function FormModal<Values extends object, Answer>(props: FormModalProps<Values, Answer>) {
  const { title, isOpen, onClose, form, submitLabel = 'Save', size = 'md', children, onDone, ...action } = props;
  const { mutate, reset, error, isPending } = useAction<Values, Answer>({
    ...action,
    quiet: true,
    onDone: answer => {
      onClose();
      onDone?.(answer);
    },
  });
  const rest = useRefusal(form, error);
  const { reset: resetForm } = form;
  useEffect(() => {
    reset();
    resetForm();
  }, [isOpen, reset, resetForm]);
  useReturnedFocus(isOpen);
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size={size} returnFocus={false}>
      <form onSubmit={form.onSubmit(values => mutate(values))} noValidate>
        <Stack>
          <FormFailure error={rest} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
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

/** ms, as long as Mantine waits: a focus that something else takes meanwhile stays there. */
const returnMs = 10;

/** Gives the focus back to the opener. Mantine does so only for a dialog that is mounted before it opens and until after it closes. */
function useReturnedFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const opener = document.activeElement;
    return () => {
      const last = document.activeElement;
      setTimeout(() => {
        const isFree = document.activeElement === document.body || document.activeElement === last;
        if (isFree && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      }, returnMs);
    };
  }, [isOpen]);
}

/** Shows refetched values in a form that the user has not changed. The fields stay mounted, so the focus and other input stay. */
export function useRefetched<Values extends object>(form: UseFormReturnType<Values>, values: Values): void {
  const show = useEffectEvent(() => {
    if (!form.isDirty()) form.setValues(values);
    form.resetDirty(values);
  });
  const text = JSON.stringify(values);
  useEffect(() => show(), [text]);
}

interface FormCardProps<Values> extends ActionOptions<Values> {
  /** Names the form for screen readers. */
  label: string;
  form: UseFormReturnType<Values>;
  submitLabel: string;
  children: ReactNode;
}

/** A form in a card. Its button is enabled once a value differs. */
export function FormCard<Values extends object>({
  label,
  form,
  submitLabel,
  children,
  run,
  ...action
}: FormCardProps<Values>) {
  const { mutate, error, isPending } = useAction({
    ...action,
    run: async (values: Values) => {
      await run(values);
      form.resetDirty(values);
    },
    quiet: true,
  });
  const rest = useRefusal(form, error);
  return (
    <Card>
      <form onSubmit={form.onSubmit(values => mutate(values))} noValidate aria-label={label}>
        <Stack>
          <FormFailure error={rest} />
          {children}
          <Button type="submit" variant="light" disabled={!form.isDirty()} loading={isPending}>
            {submitLabel}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}

/** Shows a refusal at the fields that it names. Returns the part for the whole form, if there is one. */
export function useRefusal<Values extends object>(form: UseFormReturnType<Values>, error: unknown): Error | undefined {
  const showAtFields = useEffectEvent((refused: unknown) =>
    form.setErrors(refusalsOf(refused, Object.keys(form.values)).fields),
  );
  useEffect(() => {
    if (error) showAtFields(error);
  }, [error]);
  const { rest } = refusalsOf(error, Object.keys(form.values));
  return rest === undefined ? undefined : new Error(rest);
}

export function FormFailure({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {messageOf(error)}
    </Alert>
  );
}

/** The options of a choice, in the order of `labels`. */
export function choicesOf<Value extends string>(labels: Readonly<Record<Value, string>>) {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

type Rule<Value> = (value: Value) => string | null;

/** For `validate` of a form: the field must not be empty. */
export function needed(message: string): Rule<string> {
  return value => (value.trim() === '' ? message : null);
}

/** For `validate` of a form. A number field without a number holds a text. */
export function wholeNumber(min: number, max: number, message: string): Rule<number | string> {
  return value =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? null : message;
}

/** `styles` of a field for keys, codes and other text that users compare letter by letter. */
export const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
