import { Fieldset, NumberInput, PasswordInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { sipConfigsTexts as texts } from '../../texts/sip-configs.js';
import type { SipValues } from './sip-config-values.js';
import type { SipPeer } from './sip-configs-api.js';

const transports: SipPeer['transport'][] = ['UDP', 'TCP', 'TLS'];

interface PeerFieldsProps {
  form: UseFormReturnType<SipValues>;
  which: 'peer' | 'backupPeer';
  stored: SipPeer | null;
}

export function PeerFields({ form, which, stored }: PeerFieldsProps) {
  const masked = stored?.maskedPassword ?? null;
  return (
    <Fieldset legend={texts[which]}>
      <Stack>
        <Switch
          label={which === 'peer' ? texts.hasPeer : texts.hasBackupPeer}
          {...form.getInputProps(`${which}.isUsed`, { type: 'checkbox' })}
        />
        {form.values[which].isUsed && (
          <>
            <TextInput label={texts.host} {...form.getInputProps(`${which}.host`)} />
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NumberInput label={texts.port} min={1} max={65_535} {...form.getInputProps(`${which}.port`)} />
              <Select
                label={texts.transport}
                data={transports}
                allowDeselect={false}
                {...form.getInputProps(`${which}.transport`)}
              />
              <TextInput
                label={texts.username}
                maxLength={128}
                placeholder={texts.optional}
                autoComplete="off"
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                {...form.getInputProps(`${which}.username`)}
              />
              <PasswordInput
                label={texts.password}
                description={masked === null ? texts.passwordHint : texts.passwordKept(masked)}
                maxLength={256}
                autoComplete="new-password"
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                {...form.getInputProps(`${which}.password`)}
              />
            </SimpleGrid>
            <Switch label={texts.register} {...form.getInputProps(`${which}.register`, { type: 'checkbox' })} />
          </>
        )}
      </Stack>
    </Fieldset>
  );
}
