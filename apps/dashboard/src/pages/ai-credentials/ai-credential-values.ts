import { aiCredentialsTexts as texts } from '../../texts/ai-credentials.js';
import { aiCredentials, type AiCredential, type AiCredentialFields } from './ai-credentials-api.js';

export interface AiCredentialValues {
  nickName: string;
  kind: AiCredential['kind'];
  provider: string;
  model: string;
  /** Empty: the stored one stays. */
  apiKey: string;
  baseUrl: string;
  /** JSON. */
  options: string;
}

export function valuesOf(credential: AiCredential | undefined): AiCredentialValues {
  if (!credential) {
    return { nickName: '', kind: 'llm', provider: '', model: '', apiKey: '', baseUrl: '', options: '' };
  }
  const { nickName, kind, provider, model, baseUrl, options } = credential;
  const optionsText = Object.keys(options).length === 0 ? '' : JSON.stringify(options, null, 2);
  return { nickName, kind, provider, model: model ?? '', apiKey: '', baseUrl: baseUrl ?? '', options: optionsText };
}

export function optionsProblem(text: string): string | null {
  return parsedOptions(text) === undefined ? texts.optionsWrong : null;
}

export function addressProblem(text: string): string | null {
  const isFine = text.trim() === '' || (text.trim().startsWith('https://') && URL.canParse(text.trim()));
  return isFine ? null : texts.baseUrlWrong;
}

export function saveCredential(credential: AiCredential | undefined, values: AiCredentialValues) {
  const { apiKey, nickName, kind, provider } = values;
  const fields = {
    nickName,
    kind,
    provider,
    model: orNull(values.model),
    baseUrl: orNull(values.baseUrl),
    // The document says of its fields only that they are the provider's own.
    options: (parsedOptions(values.options) ?? {}) as NonNullable<AiCredentialFields['options']>,
  };
  if (!credential) return aiCredentials.create({ ...fields, apiKey });
  const { aiCredentialID } = credential;
  return aiCredentials.update({ aiCredentialID, ...fields, ...(apiKey !== '' && { apiKey }) });
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

function parsedOptions(text: string): object | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
