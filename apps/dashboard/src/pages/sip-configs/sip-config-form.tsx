import { Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormModal } from '../../parts/form-modal.js';
import { sipConfigsTexts as texts } from '../../texts/sip-configs.js';
import { PeerFields } from './peer-fields.js';
import { saveSipConfig, sipRules, valuesOf, type SipValues } from './sip-config-values.js';
import { useAgentChoices, type SipConfig } from './sip-configs-api.js';

const mostNetworks = 64;
const switches = ['supportSipActive', 'allowOutgoing', 'audioOnly', 'autoRecordSip', 'preferPCMA'] as const;

interface SipConfigFormProps {
  edited: SipConfig | 'new' | undefined;
  onClose: () => void;
}

export function SipConfigForm({ edited, onClose }: SipConfigFormProps) {
  const config = typeof edited === 'object' ? edited : undefined;
  return <Form key={config?.sipConfigID ?? 'new'} config={config} isOpen={edited !== undefined} onClose={onClose} />;
}

interface FormProps {
  config: SipConfig | undefined;
  isOpen: boolean;
  onClose: () => void;
}

function Form({ config, isOpen, onClose }: FormProps) {
  const form = useForm<SipValues>({ initialValues: valuesOf(config), validate: sipRules });
  const { data: agentChoices = [] } = useAgentChoices();
  return (
    <FormModal
      title={config ? texts.change : texts.add}
      size="lg"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      run={values => saveSipConfig(config, values)}
      success={config ? texts.changed : texts.added}
      changes={['sipConfig']}
    >
      <TextInput
        label={texts.contactNumber}
        description={texts.contactNumberHint}
        type="tel"
        data-autofocus
        {...form.getInputProps('contactNumber')}
      />
      <TextInput
        label={texts.provider}
        placeholder={texts.optional}
        maxLength={64}
        {...form.getInputProps('provider')}
      />
      <Select
        label={texts.agent}
        description={texts.agentHint}
        placeholder={texts.optional}
        data={agentChoices}
        clearable
        searchable
        {...form.getInputProps('agentID')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {switches.map(name => (
          <Switch key={name} label={texts[name]} {...form.getInputProps(name, { type: 'checkbox' })} />
        ))}
      </SimpleGrid>
      <TagsInput
        label={texts.allowedIPs}
        description={texts.allowedIPsHint}
        maxTags={mostNetworks}
        {...form.getInputProps('allowedIPs')}
      />
      <PeerFields form={form} which="peer" stored={config?.peer ?? null} />
      <PeerFields form={form} which="backupPeer" stored={config?.backupPeer ?? null} />
    </FormModal>
  );
}
