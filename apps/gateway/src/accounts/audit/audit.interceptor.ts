import { Injectable, Logger, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ServiceError, type Operation } from '@rtms/contracts';
import { isRead, requestIDOf, toServiceError } from '@rtms/http';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { administratorOnlyKey, requiredOperationKey } from '../../platform/auth/auth.decorators.js';
import { dashboardAccessKey, type DashboardAccess } from '../../platform/auth/signed-in.decorators.js';
import { auditDetails, identifiersIn } from './audit-details.js';
import type { ActorKind, AuditEntry } from './audit-entry.entity.js';
import { AuditLogService, type NewAuditEntry } from './audit-log.service.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** A handler that anyone may call sets it after the caller has proved an identity. */
    provedUser?: { userID: string; email: string; accountID: string | null };
  }
}

type Target = object;
const reflector = new Reflector();

/** Operations that change rooms. They are not administrative: rooms and recordings have logs of their own. */
const mediaOperations: readonly Operation[] = ['manageRooms', 'manageRecordings'];

/** `before`: the entry is written before the action, which fails if that is impossible. `after`: once the caller has proved an identity. */
export type Auditing = 'before' | 'after' | 'never';

/** Derives from a handler's access rules when to audit it, so that no administrative handler is left out. */
export function auditingOf(method: string, handler: Target, controller: Target): Auditing {
  if (isRead(method)) return 'never';
  const targets = [handler, controller] as Parameters<Reflector['getAllAndOverride']>[1];
  if (reflector.getAllAndOverride<boolean | undefined>(administratorOnlyKey, targets)) return 'before';
  const access = reflector.getAllAndOverride<DashboardAccess | undefined>(dashboardAccessKey, targets);
  if (access !== undefined) return access === 'anyone' ? 'after' : 'before';
  const anyOf = reflector.getAllAndOverride<readonly Operation[] | undefined>(requiredOperationKey, targets) ?? [];
  return anyOf.some(each => each.startsWith('manage') && !mediaOperations.includes(each)) ? 'before' : 'never';
}

/**
 * Writes an entry for each administrative action: actor, time, action, address and outcome. The entry is stored before the handler
 * runs and completed afterwards, so that every action has an entry; see docs/decisions/audit-log.md.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger(AuditInterceptor.name);

  constructor(private readonly log: AuditLogService) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const auditing = auditingOf(request.method, context.getHandler(), context.getClass());
    const work = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    if (auditing === 'before') return defer(() => this.aroundAction(request, http.getResponse<Response>(), work));
    if (auditing === 'after') return defer(() => this.afterProof(request, work));
    return next.handle();
  }

  private async aroundAction(request: Request, response: Response, work: () => Promise<unknown>): Promise<unknown> {
    const entry = entryOf(request, actorOf(request));
    const id = await this.log.add(entry);
    try {
      const answer = await work();
      const outcome = response.hasHeader('Idempotent-Replayed') ? 'repeated' : 'succeeded';
      await this.note(this.log.finish(id, { ...aboutAnswer(entry, answer), outcome, reason: null }));
      return answer;
    } catch (error) {
      const { code, reason } = toServiceError(error);
      const { accountID, details } = entry;
      if (code === 'BAD_REQUEST') await this.note(this.log.withdraw(id));
      else await this.note(this.log.finish(id, { accountID, details, outcome: 'failed', reason }));
      throw error;
    }
  }

  private async afterProof(request: Request, work: () => Promise<unknown>): Promise<unknown> {
    const answer = await work();
    const { provedUser } = request;
    if (!provedUser) return answer;
    const { userID: actorID, email: actorName, accountID } = provedUser;
    const entry = entryOf(request, { actorKind: 'user', actorID, actorName });
    await this.log.add({ ...entry, accountID, outcome: 'succeeded' });
    return answer;
  }

  /** The action is done: the caller gets its answer even if the entry stays `unknown`. */
  private async note(change: Promise<void>): Promise<void> {
    await change.catch((err: unknown) => this.logger.warn({ err }, 'an audit entry could not be completed'));
  }
}

type Actor = Pick<AuditEntry, 'actorKind' | 'actorID' | 'actorName'>;

function actorOf({ signedIn, caller, administrator }: Request): Actor {
  if (signedIn) {
    const actorKind: ActorKind = signedIn.role === 'administrator' ? 'administrator' : 'user';
    return { actorKind, actorID: signedIn.userID, actorName: signedIn.email };
  }
  if (caller) {
    const { keyKind, keyID, apiUserName } = caller;
    return { actorKind: keyKind === 'dashboard' ? 'user' : keyKind, actorID: keyID, actorName: apiUserName };
  }
  if (administrator) return { actorKind: 'administrator', actorID: null, actorName: null };
  throw new ServiceError('invalid_credentials', 'You are not signed in.');
}

function entryOf(request: Request, actor: Actor): NewAuditEntry {
  const body = request.body as unknown;
  const details = auditDetails(request.params, body);
  return {
    ...actor,
    action: actionOf(request),
    accountID: accountOf(request, details),
    details,
    address: request.ip ?? 'unknown',
    requestID: requestIDOf(request),
    outcome: 'unknown',
    reason: null,
  };
}

/** `POST /v1/subusers (create)`, `DELETE /admin/v1/dashboard-users/:userID` */
function actionOf({ method, route }: Request): string {
  const [, path = '', action] = /^(.*?)(?:\/@(.*))?$/.exec((route as { path: string }).path) ?? [];
  return `${method} ${path}${action === undefined ? '' : ` (${action})`}`;
}

/** An administrator's request names the account, if it is about one. */
function accountOf({ caller, signedIn }: Request, details: AuditEntry['details']): string | null {
  return caller?.accountID ?? signedIn?.account?.accountID ?? accountIn(details);
}

function accountIn({ accountID }: AuditEntry['details']): string | null {
  return typeof accountID === 'string' ? accountID : null;
}

/** Adds the identifiers that only the answer contains: of the created resource and of its account. */
function aboutAnswer(entry: NewAuditEntry, answer: unknown): Pick<AuditEntry, 'accountID' | 'details'> {
  const details = { ...identifiersIn(answer), ...entry.details };
  return { details, accountID: entry.accountID ?? accountIn(details) };
}
