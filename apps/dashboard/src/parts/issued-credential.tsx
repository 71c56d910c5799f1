import { apiKeysTexts as texts } from '../texts/api-keys.js';
import { OnceShownSecret } from './once-shown-secret.js';

/** What every kind of key is issued as. */
export interface IssuedCredential {
  apiUserName: string;
  apiKey: string;
}

interface IssuedCredentialDialogProps {
  /** Nothing is shown while there is none. */
  issued: IssuedCredential | undefined;
  onClose: () => void;
}

/** A new key, which is told this once. */
export function IssuedCredentialDialog({ issued, onClose }: IssuedCredentialDialogProps) {
  return <OnceShownSecret title={texts.issuedTitle} parts={issued && partsOf(issued)} onClose={onClose} />;
}

function partsOf({ apiUserName, apiKey }: IssuedCredential) {
  return [
    { label: texts.apiUserName, value: apiUserName },
    { label: texts.apiKey, value: apiKey },
    { label: texts.credential, value: `${apiUserName}:${apiKey}` },
  ];
}
