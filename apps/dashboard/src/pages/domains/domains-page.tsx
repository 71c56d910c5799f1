import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconWorld } from '@tabler/icons-react';
import { domains, type Domain } from '../../api/resource.js';
import { EditableList, type RecordFormProps } from '../../parts/editable-list.js';
import { SwitchField } from '../../parts/fields.js';
import { FormModal } from '../../parts/forms.js';
import type { Column } from '../../parts/resource-table.js';
import { OnOffBadge, Time, TwoLines } from '../../parts/values.js';

const columns: readonly Column<Domain>[] = [
  { header: 'Domain', cell: ({ domain }) => <TwoLines first={domain} /> },
  { header: 'Enabled', cell: ({ enabled }) => <OnOffBadge isOn={enabled} on="Enabled" off="Disabled" /> },
  { header: 'Added', cell: ({ createdAt }) => <Time value={createdAt} />, visibleFrom: 'sm' },
];

export default function DomainsPage() {
  return (
    <EditableList
      title="Domains"
      description="Browsers may use your production keys only on these HTTPS hosts. Servers need no entry."
      icon={IconWorld}
      noun="domain"
      resource={domains}
      columns={columns}
      nameOf={({ domain }) => domain}
      deleteText={domain => `Browsers on ${domain} can no longer use your production keys.`}
      emptyTitle="No domains yet"
      emptyText="Add the hosts of your web pages that call the service with a production key."
      form={props => <DomainForm {...props} />}
    />
  );
}

function domainProblem(domain: string): string | null {
  if (domain.trim() === '') return 'Enter a host name.';
  return /[/:\s]/.test(domain.trim()) ? 'Enter the host name alone, without https://, a path or a port.' : null;
}

function DomainForm({ record, modal }: RecordFormProps<Domain>) {
  const form = useForm({
    initialValues: { domain: record?.domain ?? '', enabled: record?.enabled ?? true },
    validate: { domain: domainProblem },
  });
  return (
    <FormModal
      {...modal}
      form={form}
      run={values => (record ? domains.update(record, values) : domains.create(values))}
    >
      <TextInput
        label="Domain"
        description="A host name such as app.example.com, or *.example.com for every host below it."
        data-autofocus
        {...form.getInputProps('domain')}
      />
      <SwitchField
        form={form}
        name="enabled"
        label="Enabled"
        description="A disabled domain stays listed, and the gateway refuses requests from it."
      />
    </FormModal>
  );
}
