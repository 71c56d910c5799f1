import { Controller, HttpCode, Post } from '@nestjs/common';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { presentOne } from '../http/present.js';
import { SigningKeysService } from '../signing-keys/signing-keys.service.js';

@Controller('admin/v1/signing-keys')
@AdministratorOnly()
export class AdminSigningKeysController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  /** What the former key signed stays valid until it expires by itself. */
  @Post('rotate')
  @HttpCode(200)
  async rotate() {
    return presentOne('signingKey', await this.signingKeys.rotate());
  }
}
