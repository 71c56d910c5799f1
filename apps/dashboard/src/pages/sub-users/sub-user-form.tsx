import { Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { choicesOf } from '../../parts/choices.js';
import { needed } from '../../parts/field-rules.js';
import { FormModal } from '../../parts/form-modal.js';
import { OperationChoice } from '../../parts/operation-choice.js';
import { subUsersTexts as texts } from '../../texts/sub-users.js';
import { addSubUser, subUsers, type IssuedSubUser, type SubUser } from './sub-users-api.js';

interface SubUserFormProps {
  edited: SubUser | 'new' | undefined;
  onClose: () => void;
  onIssued: (subUser: IssuedSubUser) => void;
}

interface Values extends Pick<SubUser, 'name' | 'email' | 'role' | 'permissions'> {
  isActive: boolean;
}

export function SubUserForm(props: SubUserFormProps) {
  const subUser = typeof props.edited === 'object' ? props.edited : undefined;
  return <Form {...props} key={subUser?.subUserID ?? 'new'} subUser={subUser} />;
}

function initialValues(subUser: SubUser | undefined): Values {
  if (!subUser) return { name: '', email: '', role: 'member', permissions: [], isActive: true };
  const { name, email, role, permissions, state } = subUser;
  return { name, email, role, permissions, isActive: state === 'active' };
}

function save(subUser: SubUser | undefined, { isActive, ...fields }: Values): Promise<SubUser | IssuedSubUser> {
  if (!subUser) return addSubUser(fields);
  return subUsers.update({ subUserID: subUser.subUserID, ...fields, state: isActive ? 'active' : 'disabled' });
}

function Form({ edited, onClose, onIssued, subUser }: SubUserFormProps & { subUser: SubUser | undefined }) {
  const form = useForm<Values>({
    initialValues: initialValues(subUser),
    validate: {
      name: needed(texts.nameNeeded),
      email: email => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : texts.emailWrong),
    },
  });
  return (
    <FormModal
      title={subUser ? texts.change : texts.add}
      size="lg"
      isOpen={edited !== undefined}
      onClose={onClose}
      form={form}
      run={values => save(subUser, values)}
      {...(subUser && { success: texts.changed })}
      onDone={answer => 'apiKeys' in answer && onIssued(answer)}
      changes={['subUser']}
    >
      <TextInput label={texts.name} data-autofocus maxLength={64} {...form.getInputProps('name')} />
      <TextInput label={texts.email} type="email" maxLength={254} {...form.getInputProps('email')} />
      <Select
        label={texts.role}
        description={texts.roleHint}
        data={choicesOf(texts.roles)}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      {subUser && (
        <Switch
          label={texts.states.active}
          description={texts.activeHint}
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
      )}
      <OperationChoice
        label={texts.permissions}
        description={texts.permissionsHint}
        input={form.getInputProps('permissions')}
        onChoose={chosen => form.setFieldValue('permissions', chosen)}
      />
    </FormModal>
  );
}
