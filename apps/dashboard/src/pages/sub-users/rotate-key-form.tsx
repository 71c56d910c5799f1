import { NumberInput, SegmentedControl, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { keyOverlapHours } from '@rtms/contracts';
import { choicesOf } from '../../parts/choices.js';
import { wholeNumber } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import { subUsersTexts as texts } from '../../texts/sub-users.js';
import { rotateSubUserKey, type IssuedKey, type SubUser } from './sub-users-api.js';

interface RotateKeyFormProps {
  /** Nobody: the form is closed. */
  subUser: SubUser | undefined;
  onClose: () => void;
  onIssued: (key: IssuedKey) => void;
}

interface Values {
  type: IssuedKey['type'];
  overlapHours: number;
}

export function RotateKeyForm({ subUser, onClose, onIssued }: RotateKeyFormProps) {
  const form = useForm<Values>({
    initialValues: { type: 'sandbox', overlapHours: 24 },
    validate: { overlapHours: wholeNumber(keyOverlapHours.min, keyOverlapHours.max, texts.overlapWrong) },
  });
  return (
    <FormModal
      title={subUser ? texts.rotate(subUser.name) : texts.rotateTitle}
      isOpen={subUser !== undefined}
      onClose={onClose}
      form={form}
      run={values => rotateSubUserKey({ subUserID: subUser?.subUserID ?? '', ...values })}
      onDone={onIssued}
      changes={['subUser']}
      submitLabel={texts.rotateSubmit}
    >
      <Text size="sm">{texts.rotateText}</Text>
      <SegmentedControl aria-label={texts.keyType} data={choicesOf(texts.keyTypes)} {...form.getInputProps('type')} />
      <NumberInput
        label={texts.overlapHours}
        description={texts.overlapHint}
        {...keyOverlapHours}
        {...form.getInputProps('overlapHours')}
      />
    </FormModal>
  );
}
