import { Controller, HttpCode, Post } from '@nestjs/common';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { SigningKeysService } from '../signing-keys/signing-keys.service.js';

interface RotatedKey {
  kid: string;
  /** What workers accept now. */
  publishedKids: string[];
}

@Controller('admin/v1/signing-keys')
@AdministratorOnly()
export class AdminSigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  /** What the former key signed stays valid until it expires by itself. */
  @Post('rotate')
  @HttpCode(200)
  async rotate(): Promise<OneAnswer<'signingKey', RotatedKey>> {
    return presentOne('signingKey', await this.signingKeys.rotate());
  }
}
