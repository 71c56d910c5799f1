import { NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { keyOverlapHours, type MainKey } from '@rtms/contracts';
import type { ShownKind } from '../api/query-keys.js';
import { apiKeysTexts as texts } from '../texts/api-keys.js';
import { wholeNumber } from './field-rules.js';
import { FormModal } from './form-modal.js';

interface RotateKeyFormProps<Issued> {
  type: MainKey['type'];
  isOpen: boolean;
  onClose: () => void;
  rotate: (type: MainKey['type'], overlapHours: number) => Promise<Issued>;
  onIssued: (key: Issued) => void;
  changes: readonly ShownKind[];
}

const rule = wholeNumber(keyOverlapHours.min, keyOverlapHours.max, texts.overlapWrong);

/** A new main key in the place of another, which may go on for a while. */
export function RotateKeyForm<Issued>(props: RotateKeyFormProps<Issued>) {
  const { type, isOpen, onClose, rotate, onIssued, changes } = props;
  const form = useForm({ initialValues: { overlapHours: 24 }, validate: { overlapHours: rule } });
  return (
    <FormModal
      title={texts.rotate(texts.types[type])}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ overlapHours }) => rotate(type, overlapHours)}
      onDone={onIssued}
      changes={changes}
      submitLabel={texts.rotateSubmit}
    >
      <Text size="sm">{texts.rotateText}</Text>
      <NumberInput
        label={texts.overlapHours}
        description={texts.overlapHint}
        {...keyOverlapHours}
        data-autofocus
        {...form.getInputProps('overlapHours')}
      />
    </FormModal>
  );
}
