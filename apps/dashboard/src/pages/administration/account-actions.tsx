import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmButton } from '../../parts/confirm-button.js';
import { FormModal } from '../../parts/form-modal.js';
import { useAction } from '../../parts/use-action.js';
import { administrationTexts as texts } from '../../texts/administration.js';
import { AccountSwitch } from './account-switch.js';
import { deleteAccount, renameAccount, restoreAccount, type Account } from './administration-api.js';

/** Renames, disables and deletes the account, or restores it. */
export function AccountActions({ account }: { account: Account }) {
  const [isRenaming, setIsRenaming] = useState(false);
  const { accountID, name, state } = account;
  const restore = useAction({ run: () => restoreAccount(accountID), success: texts.restored, changes: ['admin'] });
  return (
    <Group>
      <Button
        variant="light"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => setIsRenaming(true)}
        aria-label={texts.rename(name)}
      >
        {texts.renameShort}
      </Button>
      {state === 'deleted' ? (
        <Button variant="light" loading={restore.isPending} onClick={() => restore.mutate()}>
          {texts.restore(name)}
        </Button>
      ) : (
        <>
          <AccountSwitch account={account} withLabel />
          <ConfirmButton
            label={texts.delete(name)}
            withLabel
            title={texts.deleteTitle}
            text={texts.deleteText(name)}
            run={() => deleteAccount(accountID)}
            success={texts.deleted}
            changes={['admin']}
          />
        </>
      )}
      <RenameForm key={name} account={account} isOpen={isRenaming} onClose={() => setIsRenaming(false)} />
    </Group>
  );
}

interface RenameFormProps {
  account: Account;
  isOpen: boolean;
  onClose: () => void;
}

function RenameForm({ account: { accountID, name }, isOpen, onClose }: RenameFormProps) {
  const form = useForm({
    initialValues: { name },
    validate: { name: text => (/^.{1,64}$/u.test(text.trim()) ? null : texts.nameNeeded) },
  });
  return (
    <FormModal
      title={texts.rename(name)}
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => renameAccount(accountID, values.name.trim())}
      success={texts.renamed}
      changes={['admin']}
    >
      <TextInput label={texts.name} data-autofocus {...form.getInputProps('name')} />
    </FormModal>
  );
}
