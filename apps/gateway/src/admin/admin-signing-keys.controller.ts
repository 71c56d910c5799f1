import { Controller, HttpCode } from '@nestjs/common';
import { z } from 'zod';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotent-post.decorator.js';
import { SigningKeysService } from '../accounts/signing-keys/signing-keys.service.js';

const rotatedKeySchema = z
  .object({
    kid: z.string().describe('Identifier of the new key.'),
    publishedKids: z.array(z.string()).describe('Identifiers of all keys that media nodes accept.'),
  })
  .meta({ id: 'SigningKey', description: 'The new signing key.' });

@ApiTag({ name: 'Signing keys', description: 'Keys that sign media tokens.' })
@Controller('admin/v1/signing-keys')
@AdministratorOnly()
export class AdminSigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @IdempotentPost('rotate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateSigningKey',
    summary: 'Replace the signing key',
    description: 'Tokens signed with the former key stay valid until they expire.',
  })
  @ApiAnswer(one('signingKey', rotatedKeySchema))
  async rotate() {
    return presentOne('signingKey', await this.signingKeys.rotate());
  }
}
