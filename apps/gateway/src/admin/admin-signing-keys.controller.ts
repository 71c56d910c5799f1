import { Controller, HttpCode } from '@nestjs/common';
import { z } from 'zod';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { SigningKeysService } from '../signing-keys/signing-keys.service.js';

/** `publishedKids`: what workers accept now. */
const rotatedKeySchema = z.object({ kid: z.string(), publishedKids: z.array(z.string()) }).meta({ id: 'SigningKey' });
type RotatedKey = z.infer<typeof rotatedKeySchema>;

@Controller('admin/v1/signing-keys')
@AdministratorOnly()
export class AdminSigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  /** What the former key signed stays valid until it expires by itself. */
  @IdempotentPost('rotate')
  @HttpCode(200)
  @Answers(one('signingKey', rotatedKeySchema))
  async rotate(): Promise<OneAnswer<'signingKey', RotatedKey>> {
    return presentOne('signingKey', await this.signingKeys.rotate());
  }
}
