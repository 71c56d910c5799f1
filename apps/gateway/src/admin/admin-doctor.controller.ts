import { Controller, Get } from '@nestjs/common';
import { z } from 'zod';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Doctor } from '../doctor/doctor.service.js';
import { findingSchema, type Finding } from '../doctor/finding.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';

@Controller('admin/v1/doctor')
@AdministratorOnly()
export class AdminDoctorController {
  constructor(private readonly doctor: Doctor) {}

  /** Looks at database, bus and media nodes; takes some seconds. */
  @Get()
  @Answers(one('findings', z.array(findingSchema)))
  async look(): Promise<OneAnswer<'findings', Finding[]>> {
    return presentOne('findings', await this.doctor.look());
  }
}
