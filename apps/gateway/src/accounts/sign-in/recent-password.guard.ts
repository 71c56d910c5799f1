import { Inject, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

/** A typed password counts for this time. A sign-in counts too. */
const confirmedMs = 600_000;

@Injectable()
class RecentPasswordGuard implements CanActivate {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  canActivate(context: ExecutionContext): boolean {
    const { signedIn } = context.switchToHttp().getRequest<Request>();
    if (!signedIn || this.clock.now() - signedIn.confirmedAt.getTime() <= confirmedMs) return true;
    throw new ServiceError(
      'confirmation_required',
      'Confirm your password first: POST /dashboard/api/session/confirmation.',
    );
  }
}

/**
 * For handlers whose answer contains a new key or password. A dashboard user must have typed the password recently, so that an abandoned
 * browser is not enough. Requests with keys or the administrator token need no password.
 */
export const AsksPassword = (): MethodDecorator => UseGuards(RecentPasswordGuard);
