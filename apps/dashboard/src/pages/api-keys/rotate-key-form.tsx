import { NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../parts/form-modal.js';
import { apiKeysTexts as texts } from '../../texts/api-keys.js';
import type { IssuedCredential } from './api-keys-page.js';
import { rotateMainKey, type KeyType } from './main-keys-api.js';

const longestOverlapHours = 72;

interface RotateKeyFormProps {
  type: KeyType;
  isOpen: boolean;
  onClose: () => void;
  onIssued: (key: IssuedCredential) => void;
}

function problemOf(hours: number | string): string | null {
  const isFine = typeof hours === 'number' && Number.isInteger(hours) && hours >= 0 && hours <= longestOverlapHours;
  return isFine ? null : texts.overlapWrong;
}

export function RotateKeyForm({ type, isOpen, onClose, onIssued }: RotateKeyFormProps) {
  const form = useForm({ initialValues: { overlapHours: 24 }, validate: { overlapHours: problemOf } });
  return (
    <FormModal
      title={texts.rotate(texts.types[type])}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={({ overlapHours }) => rotateMainKey(type, overlapHours)}
      onDone={onIssued}
      changes={['key']}
      submitLabel={texts.rotateSubmit}
    >
      <Text size="sm">{texts.rotateText}</Text>
      <NumberInput
        label={texts.overlapHours}
        description={texts.overlapHint}
        min={0}
        max={longestOverlapHours}
        data-autofocus
        {...form.getInputProps('overlapHours')}
      />
    </FormModal>
  );
}
