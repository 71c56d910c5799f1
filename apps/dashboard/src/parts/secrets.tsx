import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { IconEyeExclamation, IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShownKind } from '../api/resource.js';
import { ConfirmButton, CopyButton } from './buttons.js';
import { monospace } from './forms.js';

export interface SecretPart {
  label: string;
  value: string;
}

interface OnceShownSecretProps {
  title: string;
  /** undefined: the dialog is closed. */
  parts: readonly SecretPart[] | undefined;
  onClose: () => void;
}

/**
 * Shows values that the gateway sends once. The page keeps them in this dialog alone, until it closes. Escape and the cross ask first,
 * unless a value was copied.
 */
export function OnceShownSecret({ title, parts, onClose }: OnceShownSecretProps) {
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const onCopied = () => setCopied(true);
  const close = () => {
    setCopied(false);
    setAsking(false);
    onClose();
  };
  return (
    <Modal
      opened={parts !== undefined}
      onClose={() => (isCopied ? close() : setAsking(true))}
      title={title}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack onCopy={onCopied}>
        <Alert color="yellow" icon={<IconEyeExclamation aria-hidden />}>
          Copy it now. It is shown once and cannot be read again.
        </Alert>
        {parts?.map(({ label, value }) => (
          <TextInput
            key={label}
            label={label}
            value={value}
            readOnly
            styles={monospace}
            onFocus={event => event.currentTarget.select()}
            rightSection={<CopyButton value={value} what={label} onCopied={onCopied} />}
          />
        ))}
        {isAsking && (
          <Alert color="red" role="alert">
            You have copied nothing. Close anyway?
          </Alert>
        )}
        <Group justify="flex-end">
          {isAsking && (
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep open
            </Button>
          )}
          <Button onClick={close}>{isAsking ? 'Close anyway' : 'Done'}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A new key. The gateway shows it once. */
export interface IssuedCredential {
  apiUserName: string;
  apiKey: string;
}

interface IssuedCredentialDialogProps {
  /** undefined: the dialog is closed. */
  issued: IssuedCredential | undefined;
  onClose: () => void;
}

export function IssuedCredentialDialog({ issued, onClose }: IssuedCredentialDialogProps) {
  const parts = issued && [
    { label: 'API username', value: issued.apiUserName },
    { label: 'API key', value: issued.apiKey },
    { label: 'Both, for the Authorization header', value: `${issued.apiUserName}:${issued.apiKey}` },
  ];
  return <OnceShownSecret title="Your new key" parts={parts} onClose={onClose} />;
}

interface ResetLinkButtonProps {
  /** Of the user who gets the link. */
  email: string;
  run: () => Promise<{ resetLink: { url: string } }>;
  onLink: (url: string) => void;
  changes?: readonly ShownKind[];
}

/** Makes a link with which a user chooses a new password. The page then shows it by `OnceShownSecret`. */
export function ResetLinkButton({ email, run, onLink, changes = [] }: ResetLinkButtonProps) {
  return (
    <ConfirmButton
      label={`Make a reset link for ${email}`}
      icon={IconLink}
      title="Make a reset link?"
      text={`You get a link. With it, ${email} can choose a new password once, within an hour. An earlier link stops working.`}
      confirmLabel="Make link"
      run={run}
      onDone={({ resetLink }) => onLink(resetLink.url)}
      changes={changes}
    />
  );
}
