import { Alert, Button, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconEyeExclamation, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyButton } from '../../parts/copy-button.js';
import { frameTexts } from '../../texts/frame.js';
import { profileTexts as texts } from '../../texts/profile.js';
import { BothFactorsForm } from './both-factors-form.js';
import { renewRecoveryCodes, useSecondFactor } from './profile-api.js';

interface RecoveryCodesProps {
  onMade: (codes: readonly string[]) => void;
}

/** How many are left, and the way to new ones. */
export function RecoveryCodes({ onMade }: RecoveryCodesProps) {
  const { data } = useSecondFactor();
  const [isRenewing, setIsRenewing] = useState(false);
  return (
    <>
      <Text size="sm" c={data?.recoveryCodesLeft === 0 ? 'red' : undefined}>
        {data ? texts.recoveryCodesLeft(data.recoveryCodesLeft) : frameTexts.loading}
      </Text>
      <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setIsRenewing(true)}>
        {texts.renewCodes}
      </Button>
      <BothFactorsForm
        title={texts.renewCodes}
        text={texts.renewCodesText}
        isOpen={isRenewing}
        onClose={() => setIsRenewing(false)}
        run={renewRecoveryCodes}
        onDone={onMade}
        changes={['secondFactor']}
      />
    </>
  );
}

interface RecoveryCodesDialogProps {
  /** Nothing is shown while there are none. */
  codes: readonly string[] | undefined;
  onClose: () => void;
}

/** They are in this dialog and nowhere else, and gone when the dialog is. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Modal
      opened={codes !== undefined}
      onClose={onClose}
      title={texts.recoveryCodes}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': frameTexts.close }}
    >
      <Stack>
        <Alert color="yellow" icon={<IconEyeExclamation aria-hidden />}>
          {texts.recoveryCodesText}
        </Alert>
        <SimpleGrid component="ul" cols={2} aria-label={texts.recoveryCodes} p={0} m={0} style={{ listStyle: 'none' }}>
          {codes?.map(code => (
            <Text key={code} component="li" ff="monospace" ta="center">
              {code}
            </Text>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <CopyButton value={codes?.join('\n') ?? ''} what={texts.recoveryCodes} />
          <Button onClick={onClose}>{frameTexts.done}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
