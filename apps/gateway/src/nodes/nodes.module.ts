import { Module } from '@nestjs/common';
import { NodeRegistry } from './node-registry.js';

@Module({ providers: [NodeRegistry], exports: [NodeRegistry] })
export class NodesModule {}
