import {
  Module,
  type DynamicModule,
  type FactoryProvider,
  type MiddlewareConsumer,
  type ModuleMetadata,
  type NestModule,
} from '@nestjs/common';
import { CLOCK } from '@rtms/node';
import { DELIVERY_OPTIONS, type DeliveryOptions } from './delivery-options.js';
import { HlsOriginMiddleware } from './hls-origin.middleware.js';
import { PlaylistCache } from './answers/representation.js';
import { PresentationRegistry } from './presentation-registry.js';
import { RecordingDownloadMiddleware } from './recording-download.middleware.js';
import { SEGMENT_STORE } from './stores/segment-store.js';
import { HlsViewers } from './viewers/hls-viewers.js';
import { WaitingReaders } from './answers/waiting-readers.js';

type AsyncDeliveryOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<DeliveryOptions>, 'inject' | 'useFactory'>;

/** The HLS origin at `/hls/` and downloads at `/recordings/`. Exports `PresentationRegistry` and `SEGMENT_STORE` for publishers, and the measured viewers. */
@Module({})
export class DeliveryModule implements NestModule {
  static forRootAsync({ imports = [], inject = [], useFactory }: AsyncDeliveryOptions): DynamicModule {
    return {
      module: DeliveryModule,
      imports,
      providers: [
        { provide: DELIVERY_OPTIONS, inject, useFactory },
        { provide: SEGMENT_STORE, inject: [DELIVERY_OPTIONS], useFactory: ({ store }: DeliveryOptions) => store },
        { provide: CLOCK, inject: [DELIVERY_OPTIONS], useFactory: ({ clock }: DeliveryOptions) => clock },
        PresentationRegistry,
        PlaylistCache,
        {
          provide: WaitingReaders,
          inject: [DELIVERY_OPTIONS],
          useFactory: ({ clock }: DeliveryOptions) => new WaitingReaders(clock),
        },
        {
          provide: HlsViewers,
          inject: [DELIVERY_OPTIONS],
          useFactory: ({ clock }: DeliveryOptions) => new HlsViewers(clock),
        },
        HlsOriginMiddleware,
        RecordingDownloadMiddleware,
      ],
      exports: [PresentationRegistry, SEGMENT_STORE, HlsViewers],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(HlsOriginMiddleware).forRoutes('hls');
    consumer.apply(RecordingDownloadMiddleware).forRoutes('recordings');
  }
}
