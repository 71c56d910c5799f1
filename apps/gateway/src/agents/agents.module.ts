import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Agent } from './agent.entity.js';
import { AgentsController } from './agents.controller.js';
import { AgentsService } from './agents.service.js';

/** `/v1/agents`. */
@Module({
  imports: [TypeOrmModule.forFeature([Agent])],
  providers: [AgentsService],
  controllers: [AgentsController],
})
export class AgentsModule {}
