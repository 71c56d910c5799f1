import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { serviceVersion } from '@rtms/health';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { count, identifier, list, one } from '../platform/http/answers.js';
import { PageQuery, type Page } from '../platform/http/page.decorator.js';
import { presentList, presentOne } from '../platform/http/present.js';
import { BUS, CLOCK } from '../platform/runtime/runtime.module.js';
import { NodeRegistry } from '../media/nodes/node-registry.js';
import { liveSessionSchema } from '../media/external-sessions/external-session.dto.js';
import { ExternalSessionsService } from '../media/external-sessions/external-sessions.service.js';
import { presentRoom, roomSchema } from '../rooms/room/room.dto.js';
import { RoomsService } from '../rooms/room/rooms.service.js';
import { nodeSchema, presentNode } from './admin-nodes.controller.js';
import { GetLiveDto } from './admin.dto.js';
import { measure } from './doctor/finding.js';
import { countResources, listLiveAccounts, type LiveAccount } from './metrics/resource-counts.repository.js';

const accountID = identifier('acct');

const activeRoomSchema = z
  .object({ accountID, ...roomSchema.shape })
  .meta({ id: 'ActiveRoom', description: 'A room that has not ended, with its account.' });

@ApiTag({ name: 'Live work', description: 'Rooms and external sessions that run on the platform now.' })
@Controller('admin/v1/rooms')
@AdministratorOnly()
export class AdminRoomsController {
  constructor(private readonly rooms: RoomsService) {}

  @Get()
  @ApiOperation({ operationId: 'listActiveRooms', summary: 'List active rooms', description: 'Newest first.' })
  @ApiAnswer(list('rooms', activeRoomSchema))
  async list(@Query() { accountID }: GetLiveDto, @PageQuery() page: Page) {
    return presentList('rooms', await this.rooms.listActive(accountID, page), page, ({ room, counts }) => ({
      accountID: room.accountID,
      ...presentRoom(room, counts),
    }));
  }
}

@ApiTag({ name: 'Live work' })
@Controller('admin/v1/external-sessions')
@AdministratorOnly()
export class AdminSessionsController {
  constructor(private readonly sessions: ExternalSessionsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listLiveSessions',
    summary: 'List live external sessions',
    description: 'Sessions that have not ended, newest first.',
  })
  @ApiAnswer(list('externalSessions', liveSessionSchema))
  async list(@Query() { accountID }: GetLiveDto, @PageQuery() page: Page) {
    return presentList('externalSessions', await this.sessions.listLive(accountID, page), page);
  }
}

const liveCounts = {
  rooms: count.describe('Active rooms.'),
  externalSessions: count.describe('External sessions that have not ended.'),
  playbacks: count.describe('Playbacks that have not ended.'),
  broadcasts: count.describe('Broadcasts that have not ended.'),
  recordings: count.describe('Unfinished recordings.'),
};

const liveAccountSchema: z.ZodType<LiveAccount> = z
  .object({ accountID, name: z.string().describe('Name of the account.'), ...liveCounts })
  .meta({ id: 'LiveAccount', description: 'An account with the numbers of its resources that have not ended.' });

@ApiTag({ name: 'Live work' })
@Controller('admin/v1/live-accounts')
@AdministratorOnly()
export class AdminLiveAccountsController {
  constructor(private readonly database: DataSource) {}

  @Get()
  @ApiOperation({
    operationId: 'listLiveAccounts',
    summary: 'List accounts with live work',
    description: 'The account with the most rooms, sessions, playbacks, broadcasts and recordings comes first.',
  })
  @ApiAnswer(list('accounts', liveAccountSchema))
  async list(@PageQuery() page: Page) {
    return presentList('accounts', await listLiveAccounts(this.database, page), page);
  }
}

const statusSchema = z
  .object({
    gatewayVersion: z.string().describe('Version of the gateway that answers.'),
    database: z
      .object({
        isUp: z.boolean().describe('Whether PostgreSQL answers.'),
        milliseconds: count.describe('Time of the answer.'),
      })
      .describe('The database.'),
    bus: z.object({ isUp: z.boolean().describe('Whether NATS is connected.') }).describe('The bus.'),
    nodes: z.array(nodeSchema).describe('The media nodes.'),
    live: z
      .object(liveCounts)
      .nullable()
      .describe('Numbers of resources that have not ended; null while the database does not answer.'),
  })
  .meta({ id: 'PlatformStatus', description: 'The platform at a glance.' });
type PlatformStatus = z.infer<typeof statusSchema>;

@ApiTag({ name: 'Live work' })
@Controller('admin/v1/status')
@AdministratorOnly()
export class AdminStatusController {
  constructor(
    private readonly database: DataSource,
    private readonly nodes: NodeRegistry,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getStatus',
    summary: 'Read the status of the platform',
    description: 'Gateway, database, bus, media nodes, and what runs. The doctor checks more and takes longer.',
  })
  @ApiAnswer(one('status', statusSchema))
  async get() {
    const begun = this.clock.now();
    const counted = await measure(() => countResources(this.database));
    const status: PlatformStatus = {
      gatewayVersion: serviceVersion,
      database: { isUp: 'value' in counted, milliseconds: this.clock.now() - begun },
      bus: { isUp: this.bus.isConnected() },
      nodes: this.nodes.list().map(presentNode),
      live: 'value' in counted ? liveOf(counted.value) : null,
    };
    return presentOne('status', status);
  }
}

function liveOf(samples: Awaited<ReturnType<typeof countResources>>): PlatformStatus['live'] {
  const sum = (kind: string): number =>
    samples.filter(({ labels }) => labels['kind'] === kind).reduce((total, { value }) => total + value, 0);
  return {
    rooms: sum('room'),
    externalSessions: sum('external_session'),
    playbacks: sum('playback'),
    broadcasts: sum('broadcast'),
    recordings: sum('recording'),
  };
}
