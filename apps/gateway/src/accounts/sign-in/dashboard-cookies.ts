import { Inject, Injectable } from '@nestjs/common';
import { dashboardApi, dashboardCookie } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { lifetimeMs } from './dashboard-sessions.service.js';
import { deviceCookie, deviceLifetimeMs } from './known-devices.service.js';

const tokenForm = /^[\w-]{43}$/;

/** The session's token; undefined when there is none, or several, or something else. */
export function readSessionCookie(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map(pair => pair.trim());
  const [token, ...others] = pairs
    .filter(pair => pair.startsWith(`${dashboardCookie}=`))
    .map(pair => pair.slice(dashboardCookie.length + 1));
  return token !== undefined && others.length === 0 && tokenForm.test(token) ? token : undefined;
}

/**
 * The cookies that the dashboard sets. They are `Secure` when `PUBLIC_URL` begins with https, and when the request itself came over
 * TLS: a proxy that ends TLS and is not among `TRUSTED_PROXIES` does not change that.
 */
@Injectable()
export class DashboardCookies {
  private readonly isPublicOverTls: boolean;

  constructor(@Inject(GATEWAY_CONFIG) { publicUrl }: Pick<GatewayConfig, 'publicUrl'>) {
    this.isPublicOverTls = new URL(publicUrl).protocol === 'https:';
  }

  setSession(request: Request, response: Response, token: string): void {
    response.cookie(dashboardCookie, token, { ...this.attributes(request), sameSite: 'lax', maxAge: lifetimeMs });
  }

  clearSession(request: Request, response: Response): void {
    response.clearCookie(dashboardCookie, { ...this.attributes(request), sameSite: 'lax' });
  }

  /** Only the dashboard's own requests carry it. */
  setDevices(request: Request, response: Response, value: string): void {
    const attributes = { ...this.attributes(request), path: dashboardApi, maxAge: deviceLifetimeMs };
    response.cookie(deviceCookie, value, { ...attributes, sameSite: 'strict', encode: String });
  }

  private attributes({ secure }: Request) {
    return { httpOnly: true, path: '/', secure: secure || this.isPublicOverTls };
  }
}
