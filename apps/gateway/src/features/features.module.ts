import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountFeature, PlatformFeature } from './feature.entities.js';
import { FeaturesService } from './features.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([PlatformFeature, AccountFeature])],
  providers: [FeaturesService],
  exports: [FeaturesService],
})
export class FeaturesModule {}
