import { Inject, Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

/** How long a password that was typed in counts; signing in is typing it too. */
export const confirmedMs = 600_000;

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
 * For handlers whose answer holds a new key or password. Somebody at a browser that was left open shows the password again; keys and the
 * administrator token are not asked.
 */
export const AsksPassword = (): MethodDecorator => UseGuards(RecentPasswordGuard);
