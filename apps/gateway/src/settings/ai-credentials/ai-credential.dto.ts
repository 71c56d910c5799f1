import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { httpsURL, idOf, oneOf, openObject, queryText, text } from '../../platform/http/fields.js';
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

const { nickName, kind, provider, model, baseUrl, options } = aiCredentialFields;
const apiKey = text(1, 4096).meta({
  description: 'Key of the provider. Answers contain its first characters only.',
  examples: ['a-key-of-the-provider'],
});
const aiCredentialID = idOf('an AI credential');

export class CreateAiCredentialDto extends Dto({
  ...{ nickName, kind, provider, apiKey },
  ...optional({ model, baseUrl, options }),
}) {}

export class AiCredentialIDDto extends Dto({ aiCredentialID }) {}

export class UpdateAiCredentialDto extends Dto({
  aiCredentialID,
  ...optional({
    ...aiCredentialFields,
    apiKey,
    baseUrl: baseUrl.describe('Address of the provider’s API. A new host needs the apiKey again.'),
  }),
}) {}

export class GetAiCredentialsDto extends Dto(
  optionalQuery({ aiCredentialID: queryText(), nickName: queryText(), kind }),
) {}

const fields = {
  ...aiCredentialFields,
  maskedApiKey: z.string().describe('The first characters of the key.'),
  ...recordTimes,
};

export const aiCredentialSchema = z
  .object({ aiCredentialID: identifier('cred'), ...fields })
  .meta({ id: 'AiCredential', description: 'A key of an AI provider. Answers never contain the key itself.' });

export function presentAiCredential(credential: AiCredential): z.infer<typeof aiCredentialSchema> {
  return { aiCredentialID: credential.id, ...presentFields(fields, credential) };
}
