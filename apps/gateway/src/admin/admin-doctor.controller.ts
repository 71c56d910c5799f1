import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { DoctorService } from './doctor/doctor.service.js';
import { findingSchema } from './doctor/finding.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';

@ApiTag({ name: 'Doctor', description: 'Diagnosis of the platform.' })
@Controller('admin/v1/doctor')
@AdministratorOnly()
export class AdminDoctorController {
  constructor(private readonly doctor: DoctorService) {}

  @Get()
  @ApiOperation({
    operationId: 'runDoctor',
    summary: 'Check the platform',
    description: 'Checks the database, the bus and the media nodes. This takes some seconds.',
  })
  @ApiAnswer(one('findings', z.array(findingSchema).describe('The results of all checks.')))
  async look() {
    return presentOne('findings', await this.doctor.look());
  }
}
