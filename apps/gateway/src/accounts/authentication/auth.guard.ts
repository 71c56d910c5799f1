import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { ServiceError, type Operation, type ParticipantRole } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { actingRoleKey, administratorOnlyKey, requiredOperationKey } from '../../platform/auth/auth.decorators.js';
import {
  dashboardAccessKey,
  requireDashboardAccess,
  type DashboardAccess,
} from '../../platform/auth/signed-in.decorators.js';
import { KeyUsageService } from '../disposable-keys/key-usage.service.js';
import { missingCredential } from '../../platform/auth/read-credential.js';
import { originRefused } from './authenticator.js';
import type { Caller } from '../../platform/auth/caller.js';
import { requireBoundRoom, requireRoleWithin } from '../../platform/auth/room-bounds.js';

/**
 * Enforces the access rules that each handler declares. A `/v1`, `/admin/v1` or `/dashboard/api` handler without a declaration refuses
 * everyone, so that a forgotten declaration cannot open a route.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly usage: KeyUsageService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const request = context.switchToHttp().getRequest<Request>();
    if (this.reflector.getAllAndOverride<boolean | undefined>(administratorOnlyKey, targets)) {
      return requireAdministrator(request);
    }
    const access = this.reflector.getAllAndOverride<DashboardAccess | undefined>(dashboardAccessKey, targets);
    if (access !== undefined) return requireDashboardAccess(request, access);
    const anyOf = this.reflector.getAllAndOverride<readonly Operation[] | undefined>(requiredOperationKey, targets);
    if (anyOf !== undefined) {
      const { caller, operation } = requireOperation(request, anyOf);
      requireBoundRoom(caller, request);
      const role = this.reflector.getAllAndOverride<ParticipantRole | undefined>(actingRoleKey, targets);
      if (role !== undefined) requireRoleWithin(caller, role);
      requireProxy(request, context.switchToHttp().getResponse<Response>(), operation);
      await this.usage.note(caller, operation);
      return true;
    }
    return !isProtected(Reflect.getMetadata(PATH_METADATA, context.getClass()));
  }
}

function requireAdministrator(request: Request): true {
  if (!request.administrator) throw new ServiceError('invalid_credentials', 'The administrator token is wrong.');
  return true;
}

/** Returns the first of these operations that the key has. */
function requireOperation({ caller }: Request, anyOf: readonly Operation[]): { caller: Caller; operation: Operation } {
  if (!caller) throw missingCredential();
  const operation = anyOf.find(each => caller.operations.includes(each));
  if (operation !== undefined) return { caller, operation };
  const problem = caller.keyKind === 'dashboard' ? 'Your role does not include' : 'This key is not granted';
  throw new ServiceError('operation_not_granted', `${problem} the operation ${anyOf.join(' or ')}.`);
}

/** A proxy that forwards requests to create or join rooms must be a registered domain of the account. */
const proxiedOperations: readonly Operation[] = ['createRoom', 'joinRoom'];

function requireProxy({ isProxyAllowed }: Request, response: Response, operation: Operation): void {
  if (isProxyAllowed === false && proxiedOperations.includes(operation)) throw originRefused(response);
}

function isProtected(path: unknown): boolean {
  return typeof path !== 'string' || /^\/?(?:v1|admin|dashboard)(?:\/|$)/.test(path);
}
