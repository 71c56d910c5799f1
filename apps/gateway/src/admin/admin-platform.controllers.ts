import { Controller, Get, HttpCode } from '@nestjs/common';
import { z } from 'zod';
import { SigningKeysService } from '../accounts/signing-keys/signing-keys.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { count, one } from '../platform/http/answers.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotency.interceptor.js';
import { SecretRotationService, type RotationProgress } from '../platform/secrets/secret-rotation.service.js';
import { DoctorService } from './doctor/doctor.service.js';
import { findingSchema } from './doctor/finding.js';

@ApiTag({ name: 'Doctor', description: 'Diagnosis of the platform.' })
@Controller('admin/v1/doctor')
@AdministratorOnly()
export class AdminDoctorController {
  constructor(private readonly doctor: DoctorService) {}

  @Get()
  @ApiOperation({
    operationId: 'runDoctor',
    summary: 'Check the platform',
    description:
      'Checks the database, the bus and the media nodes. This takes some seconds. Requests during a run get its results.',
  })
  @ApiAnswer(one('findings', z.array(findingSchema).describe('The results of all checks.')))
  async look() {
    return presentOne('findings', await this.doctor.look());
  }
}

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
