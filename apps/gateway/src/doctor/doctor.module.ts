import { Module } from '@nestjs/common';
import { NodesModule } from '../nodes/nodes.module.js';
import { Doctor } from './doctor.service.js';
import { NodeDoctor } from './node-doctor.service.js';

@Module({ imports: [NodesModule], providers: [Doctor, NodeDoctor], exports: [Doctor] })
export class DoctorModule {}
