import { Body, Controller, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { AsksPassword } from '../dashboard-sessions/recent-password.guard.js';
import { Answers, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne, type ListAnswer, type OneAnswer } from '../http/present.js';
import { CLOCK } from '../runtime.module.js';
import type { DisposableKey } from './disposable-key.entity.js';
import { DisposableKeysService } from './disposable-keys.service.js';
import { CreateDisposableKeyDto } from './dto/create-disposable-key.dto.js';
import { DeleteDisposableKeyDto } from './dto/delete-disposable-key.dto.js';
import { GetDisposableKeysDto } from './dto/get-disposable-keys.dto.js';
import { UpdateDisposableKeyDto } from './dto/update-disposable-key.dto.js';
import { KeyUsageService, type OperationUsage } from './key-usage.service.js';
import {
  issuedKeySchema,
  disposableKeySchema,
  detailedKeySchema,
  presentDetailed,
  presentDisposableKey,
  type DetailedDisposableKey,
  type PresentedDisposableKey,
} from './present-disposable-key.js';

type KeyAnswer = OneAnswer<'disposableKey', DetailedDisposableKey>;
/** Both halves of the credential; the key stands in this answer and nowhere else. */
type IssuedAnswer = OneAnswer<'disposableKey', DetailedDisposableKey & { apiUserName: string; apiKey: string }>;
type KeysAnswer = ListAnswer<'disposableKeys', PresentedDisposableKey>;

@Controller('v1/disposable-keys')
@RequireOperation('manageKeys')
export class DisposableKeysController {
  constructor(
    private readonly keys: DisposableKeysService,
    private readonly usage: KeyUsageService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @AsksPassword()
  @Action('create')
  @Answers(one('disposableKey', issuedKeySchema), 'limit_reached', 'too_many_waiting', 'name_taken', 'key_revoked')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateDisposableKeyDto): Promise<IssuedAnswer> {
    const { key, apiKey } = await this.keys.create(caller, dto);
    return presentOne('disposableKey', { ...this.present(key, []), apiUserName: caller.apiUserName, apiKey });
  }

  @ReadAction('get')
  @Answers(oneOrList(['disposableKey', detailedKeySchema], ['disposableKeys', disposableKeySchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { keyID }: GetDisposableKeysDto,
    @PageQuery() page: Page,
  ): Promise<KeyAnswer | KeysAnswer> {
    if (keyID !== undefined) {
      const key = await this.keys.find(accountID, keyID);
      return presentOne('disposableKey', this.present(key, await this.usage.of(key.id)));
    }
    const { items, total } = await this.keys.list(accountID, page);
    return presentList(
      'disposableKeys',
      items.map(key => presentDisposableKey(key, this.clock.now())),
      total,
      page,
    );
  }

  @Action('update')
  @Answers(one('disposableKey', detailedKeySchema), 'limit_reached', 'name_taken', 'already_revoked')
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateDisposableKeyDto): Promise<KeyAnswer> {
    const key = await this.keys.update(caller, dto);
    return presentOne('disposableKey', this.present(key, await this.usage.of(key.id)));
  }

  /** Revokes; the record stays. */
  @Action('delete')
  @Answers(one('disposableKey', detailedKeySchema))
  async delete(@CurrentCaller() caller: Caller, @Body() { keyID }: DeleteDisposableKeyDto): Promise<KeyAnswer> {
    const key = await this.keys.revoke(caller, keyID);
    return presentOne('disposableKey', this.present(key, await this.usage.of(key.id)));
  }

  private present(key: DisposableKey, usage: readonly OperationUsage[]): DetailedDisposableKey {
    return presentDetailed(key, usage, this.clock.now());
  }
}
