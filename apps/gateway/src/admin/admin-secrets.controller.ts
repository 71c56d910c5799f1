import { Controller, HttpCode, Post } from '@nestjs/common';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { SecretRotationService, type RotationProgress } from '../secrets/secret-rotation.service.js';

@Controller('admin/v1/secrets')
@AdministratorOnly()
export class AdminSecretsController {
  constructor(private readonly rotation: SecretRotationService) {}

  /** Encrypts what is stored anew, under the current secret key; call it until it is done. */
  @Post('rotate')
  @HttpCode(200)
  async rotate(): Promise<OneAnswer<'rotation', RotationProgress>> {
    return presentOne('rotation', await this.rotation.rotate());
  }
}
