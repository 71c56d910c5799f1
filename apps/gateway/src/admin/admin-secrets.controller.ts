import { z } from 'zod';
import { Controller, HttpCode } from '@nestjs/common';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { count, one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotent-post.decorator.js';
import { SecretRotationService, type RotationProgress } from '../platform/secrets/secret-rotation.service.js';

const rotationSchema: z.ZodType<RotationProgress> = z
  .object({
    reencrypted: count.describe('Secrets that this request encrypted again.'),
    unreadable: count.describe('Secrets that no configured key decrypts.'),
    done: z.boolean().describe('Whether all readable secrets use the current key.'),
  })
  .meta({ id: 'SecretRotation', description: 'Progress of a re-encryption.' });

@ApiTag({ name: 'Secrets', description: 'Secrets that are stored encrypted.' })
@Controller('admin/v1/secrets')
@AdministratorOnly()
export class AdminSecretsController {
  constructor(private readonly rotation: SecretRotationService) {}

  @IdempotentPost('rotate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateSecrets',
    summary: 'Re-encrypt stored secrets',
    description: 'Encrypts stored secrets with the current secret key. Repeat until `done` is true.',
  })
  @ApiAnswer(one('rotation', rotationSchema))
  async rotate() {
    return presentOne('rotation', await this.rotation.rotate());
  }
}
