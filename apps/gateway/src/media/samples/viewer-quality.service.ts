import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import {
  type HlsViewerSample,
  sfuCommands,
  transcoderCommands,
  unpackHlsSamples,
  unpackSamples,
  type ViewerSample,
} from '@rtms/contracts';
import { Repository } from 'typeorm';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { WorkerCommandsService } from '../../platform/workers/worker-commands.service.js';
import { Broadcast } from '../resources/broadcast.entity.js';
import { findOwned, type Owner } from '../resources/owned-rows.js';
import { Playback } from '../resources/playback.entity.js';
import type { HlsViewersAnswer, ListViewersDto, ViewersAnswer } from './viewer-quality.dto.js';
import { listViewers, meanOf, sumOf, type ViewerSource } from './viewer-pages.js';
import { ViewerSamplesRepository } from './viewer-samples.repository.js';

/** Reads what the viewers of playbacks and broadcasts received. */
@Injectable()
export class ViewerQualityService {
  constructor(
    @InjectRepository(Playback) private readonly playbacks: Repository<Playback>,
    @InjectRepository(Broadcast) private readonly broadcasts: Repository<Broadcast>,
    private readonly samples: ViewerSamplesRepository,
    private readonly commands: WorkerCommandsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(owner: Owner, playbackID: string, dto: ListViewersDto): Promise<ViewersAnswer> {
    const { nodeID, state } = await findOwned(this.playbacks, owner, playbackID, 'playback');
    const source: ViewerSource<ViewerSample, { frozenMs: number }> = {
      ...{ unpack: unpackSamples, join: joinWhep },
      totals: samples => ({ frozenMs: sumOf(samples, ({ frozenMs }) => frozenMs) }),
      stored: page => this.samples.list('playback', page),
      newest: async ({ afterViewer, viewers }) => {
        if (nodeID === null || state === 'ended') return [];
        const address = sfuCommands.readViewerSamples.forNode(nodeID);
        return (await this.commands.ask(address, { playbackID, afterViewer, viewers })).minutes;
      },
    };
    return listViewers(playbackID, dto, this.clock.now(), source);
  }

  async listOfBroadcast(owner: Owner, broadcastID: string, dto: ListViewersDto): Promise<HlsViewersAnswer> {
    const { nodeID, state } = await findOwned(this.broadcasts, owner, broadcastID, 'broadcast');
    const source: ViewerSource<HlsViewerSample, { stalls: number }> = {
      ...{ unpack: unpackHlsSamples, join: joinHls },
      totals: samples => ({ stalls: sumOf(samples, ({ stalls }) => stalls) }),
      stored: page => this.samples.list('broadcast', page),
      newest: async ({ afterViewer, viewers }) => {
        if (nodeID === null || state === 'ended') return [];
        const address = transcoderCommands.readViewerSamples.forNode(nodeID);
        return (await this.commands.ask(address, { broadcastID, afterViewer, viewers })).minutes;
      },
    };
    return listViewers(broadcastID, dto, this.clock.now(), source);
  }
}

function joinWhep(samples: readonly ViewerSample[]): Omit<ViewerSample, 'at' | 'cause' | 'value'> {
  return {
    roundTripMs: meanOf(samples, ({ roundTripMs }) => roundTripMs),
    fractionLost: Math.max(...samples.map(({ fractionLost }) => fractionLost)),
    retransmitted: meanOf(samples, ({ retransmitted }) => retransmitted) ?? 0,
    bitrate: meanOf(samples, ({ bitrate }) => bitrate) ?? 0,
    layer: samples.at(-1)?.layer ?? null,
    frozenMs: sumOf(samples, ({ frozenMs }) => frozenMs),
    delayMs: meanOf(samples, ({ delayMs }) => delayMs),
  };
}

function joinHls(samples: readonly HlsViewerSample[]): Omit<HlsViewerSample, 'at' | 'cause' | 'value'> {
  const buffers = samples.flatMap(({ bufferMs }) => bufferMs ?? []);
  return {
    bufferMs: buffers.length === 0 ? null : Math.min(...buffers),
    stalls: sumOf(samples, ({ stalls }) => stalls),
    throughput: meanOf(samples, ({ throughput }) => throughput),
    bitrate: meanOf(samples, ({ bitrate }) => bitrate),
  };
}
