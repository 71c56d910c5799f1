import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { BroadcastLifecycleService } from './broadcasts/broadcast-lifecycle.service.js';
import { Broadcast } from './resources/broadcast.entity.js';
import { BroadcastsController } from './broadcasts/broadcasts.controller.js';
import { BroadcastsService } from './broadcasts/broadcasts.service.js';
import { MemberBroadcastsService } from './broadcasts/member-broadcasts.service.js';
import { CompositionsRepository } from './compositions/compositions.repository.js';
import { CompositionsService } from './compositions/compositions.service.js';
import { DashboardSessionStatisticsController } from './external-sessions/dashboard-session-statistics.controller.js';
import { ExternalSession } from './resources/external-session.entity.js';
import { ExternalSessionsController } from './external-sessions/external-sessions.controller.js';
import { ExternalSessionsRepository } from './external-sessions/external-sessions.repository.js';
import { ExternalSessionsService } from './external-sessions/external-sessions.service.js';
import { SessionFactsService } from './external-sessions/session-facts.service.js';
import { MediaCommandsService } from './room-media/media-commands.service.js';
import { SessionLifecycleService } from './external-sessions/session-lifecycle.service.js';
import { SessionOpeningService } from './external-sessions/session-opening.service.js';
import { SessionRosterService } from './external-sessions/session-roster.service.js';
import { RoomSourcesService } from './sources/room-sources.service.js';
import { SourcesService } from './sources/sources.service.js';
import { SessionTracksController } from './external-sessions/session-tracks.controller.js';
import { SessionTracksService } from './external-sessions/session-tracks.service.js';
import { ThumbnailsService } from './external-sessions/thumbnails.service.js';
import { EndpointStatesService } from './facts/endpoint-states.service.js';
import { FactBacklogService } from './facts/fact-backlog.service.js';
import { FactRouter } from './facts/fact-router.js';
import { FactsConsumer } from './facts/facts-consumer.js';
import { IngestKey } from './ingest/ingest-key.entity.js';
import { IngestKeysService } from './ingest/ingest-keys.service.js';
import { IngestQuestionsService } from './ingest/ingest-questions.service.js';
import { LogsController } from './logs/logs.controller.js';
import { LogsRepository } from './logs/logs.repository.js';
import { LogsService } from './logs/logs.service.js';
import { SipCall } from './logs/sip-call.entity.js';
import { MeteringTask } from './metering/metering-task.js';
import { SettlementRepository } from './metering/settlement.repository.js';
import { LiveWorkService } from './nodes/live-work.service.js';
import { NodeRegistry } from './nodes/node-registry.js';
import { RoomHomesRepository } from './nodes/room-homes.repository.js';
import { RoomHomesService } from './nodes/room-homes.service.js';
import { PlaybackLifecycleService } from './playbacks/playback-lifecycle.service.js';
import { Playback } from './resources/playback.entity.js';
import { PlaybacksController } from './playbacks/playbacks.controller.js';
import { PlaybacksService } from './playbacks/playbacks.service.js';
import { FailedRestartsService } from './reconciler/failed-restarts.service.js';
import { JobRepairService } from './reconciler/job-repair.service.js';
import { Reconciler } from './reconciler/reconciler.js';
import { RoomRepairService } from './reconciler/room-repair.service.js';
import { SnapshotTaker } from './reconciler/snapshot-taker.js';
import { Sweeper } from './reconciler/sweeper.js';
import { DeletedRecording, RecordingFileToDelete } from './recordings/deleted-recording.entity.js';
import { RecordingComposerService } from './recordings/recording-composer.service.js';
import { RecordingFilesService } from './recordings/recording-files.service.js';
import { RecordingLifecycleService } from './recordings/recording-lifecycle.service.js';
import { RecordingUpkeepService } from './recordings/recording-upkeep.service.js';
import { Recording } from './resources/recording.entity.js';
import { RecordingsController } from './recordings/recordings.controller.js';
import { RecordingsRepository } from './recordings/recordings.repository.js';
import { RecordingsService } from './recordings/recordings.service.js';
import { NodeMediaService } from './room-media/node-media.service.js';
import { PublishersService } from './room-media/publishers.service.js';
import { RoomMediaEventsService } from './room-media/room-media-events.service.js';
import { RestreamSourcesService } from './restreams/restream-sources.service.js';
import { RestreamLifecycleService } from './restreams/restream-lifecycle.service.js';
import { RestreamRepairService } from './reconciler/restream-repair.service.js';
import { Restream } from './resources/restream.entity.js';
import { RestreamsController } from './restreams/restreams.controller.js';
import { RestreamsService } from './restreams/restreams.service.js';
import { RepairQuestionsService } from './ingest/repair-questions.service.js';
import { RoomMediaPlace } from './resources/media-resource.entity.js';
import { SampleCollector } from './samples/sample-collector.js';
import { SessionHistoryController } from './samples/session-history.controller.js';
import { SessionHistoryService } from './samples/session-history.service.js';
import { SessionSamplesRepository } from './samples/session-samples.repository.js';
import { HlsViewerQualityController, ViewerQualityController } from './samples/viewer-quality.controller.js';
import { ViewerQualityService } from './samples/viewer-quality.service.js';
import { ViewerSamplesRepository } from './samples/viewer-samples.repository.js';
import { SessionParticipantsController } from './session-participants/session-participants.controller.js';
import { SessionParticipantsService } from './session-participants/session-participants.service.js';

const services = [
  BroadcastLifecycleService,
  BroadcastsService,
  MemberBroadcastsService,
  ExternalSessionsRepository,
  ExternalSessionsService,
  SessionFactsService,
  SessionLifecycleService,
  SessionOpeningService,
  SessionRosterService,
  SourcesService,
  RoomSourcesService,
  CompositionsRepository,
  CompositionsService,
  SessionTracksService,
  ThumbnailsService,
  EndpointStatesService,
  FactBacklogService,
  FactRouter,
  FactsConsumer,
  IngestKeysService,
  IngestQuestionsService,
  LogsRepository,
  LogsService,
  MeteringTask,
  SettlementRepository,
  LiveWorkService,
  NodeRegistry,
  RoomHomesService,
  RoomHomesRepository,
  PlaybackLifecycleService,
  PlaybacksService,
  FailedRestartsService,
  JobRepairService,
  Reconciler,
  RoomRepairService,
  SnapshotTaker,
  Sweeper,
  RecordingComposerService,
  RecordingFilesService,
  RecordingLifecycleService,
  RecordingUpkeepService,
  RecordingsRepository,
  RecordingsService,
  RestreamLifecycleService,
  RestreamRepairService,
  RestreamSourcesService,
  RestreamsService,
  RepairQuestionsService,
  MediaCommandsService,
  NodeMediaService,
  PublishersService,
  RoomMediaEventsService,
  SessionParticipantsService,
  SampleCollector,
  SessionHistoryService,
  SessionSamplesRepository,
  ViewerQualityService,
  ViewerSamplesRepository,
];

/** External sessions, playbacks, broadcasts, recordings and restreams: their routes, their nodes, events of nodes, and repair. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Broadcast,
      ExternalSession,
      IngestKey,
      SipCall,
      RoomMediaPlace,
      Playback,
      Recording,
      DeletedRecording,
      RecordingFileToDelete,
      Restream,
    ]),
    AccountsModule,
    SettingsModule,
    RoomsModule,
  ],
  controllers: [
    SessionParticipantsController,
    ExternalSessionsController,
    SessionTracksController,
    DashboardSessionStatisticsController,
    SessionHistoryController,
    PlaybacksController,
    ViewerQualityController,
    HlsViewerQualityController,
    BroadcastsController,
    RecordingsController,
    RestreamsController,
    LogsController,
  ],
  providers: services,
  exports: services,
})
export class MediaModule {}
