import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { BothFactors } from '@rtms/contracts';
import { needed } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import type { ActionOptions } from '../../parts/use-action.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { AnyCodeInput, anyCodeProblem } from './code-input.js';

interface BothFactorsFormProps<Answer> extends Omit<ActionOptions<BothFactors, Answer>, 'quiet'> {
  title: string;
  text: string;
  isOpen: boolean;
  onClose: () => void;
}

/** For what is too much for whoever finds a browser open. */
export function BothFactorsForm<Answer>({ text, run, ...props }: BothFactorsFormProps<Answer>) {
  const form = useForm<BothFactors>({
    initialValues: { currentPassword: '', code: '' },
    validate: { currentPassword: needed(texts.currentNeeded), code: anyCodeProblem },
  });
  return (
    <FormModal
      {...props}
      form={form}
      run={({ currentPassword, code }) => run({ currentPassword, code: code.trim() })}
      submitLabel={props.title}
    >
      <Text size="sm">{text}</Text>
      <PasswordInput
        label={texts.currentPassword}
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <AnyCodeInput {...form.getInputProps('code')} />
    </FormModal>
  );
}
