import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText, text } from '../../platform/http/fields.js';
import { aiCredentialFields } from './present-ai-credential.js';

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
