import { z } from 'zod';
import { Controller, HttpCode } from '@nestjs/common';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Answers, count, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { SecretRotationService, type RotationProgress } from '../secrets/secret-rotation.service.js';

const rotationSchema: z.ZodType<RotationProgress> = z
  .object({ reencrypted: count, unreadable: count, done: z.boolean() })
  .meta({ id: 'SecretRotation' });

@Controller('admin/v1/secrets')
@AdministratorOnly()
export class AdminSecretsController {
  constructor(private readonly rotation: SecretRotationService) {}

  /** Encrypts what is stored anew, under the current secret key; call it until it is done. */
  @IdempotentPost('rotate')
  @HttpCode(200)
  @Answers(one('rotation', rotationSchema))
  async rotate(): Promise<OneAnswer<'rotation', RotationProgress>> {
    return presentOne('rotation', await this.rotation.rotate());
  }
}
