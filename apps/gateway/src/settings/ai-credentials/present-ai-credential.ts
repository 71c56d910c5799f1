import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { httpsURL, oneOf, openObject, text } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import { aiKinds, type AiCredential } from './ai-credential.entity.js';

export const aiCredentialFields = {
  nickName: text(1, 64).meta({
    description: 'Name of the credential, unique in the account.',
    examples: ['main-notes'],
  }),
  kind: oneOf(aiKinds).describe('Kind of AI service.'),
  provider: text(1, 64).meta({ description: 'Provider of the AI service.', examples: ['openai'] }),
  model: text(1, 128)
    .nullable()
    .meta({ description: 'Model of the provider.', examples: ['gpt-4o'] }),
  baseUrl: httpsURL.nullable().describe('Address of the provider’s API, when it is not the usual one.'),
  options: openObject.meta({
    description: 'Options of the provider, at most 4 KiB as JSON.',
    examples: [{ region: 'eu' }],
  }),
};

const fields = {
  ...aiCredentialFields,
  maskedApiKey: z.string().describe('The first characters of the key.'),
  ...recordTimes,
};

export const aiCredentialSchema = z
  .object({ aiCredentialID: identifier('cred'), ...fields })
  .meta({ id: 'AiCredential', description: 'A key of an AI provider. Answers never contain the key itself.' });
export type PresentedAiCredential = z.infer<typeof aiCredentialSchema>;

export function presentAiCredential(credential: AiCredential): PresentedAiCredential {
  return { aiCredentialID: credential.id, ...presentFields(fields, credential) };
}
