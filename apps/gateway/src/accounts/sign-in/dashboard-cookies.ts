import { Inject, Injectable } from '@nestjs/common';
import { dashboardApi, dashboardCookie } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { lifetimeMs } from './dashboard-sessions.service.js';
import { deviceCookie, deviceLifetimeMs } from './known-devices.service.js';

const tokenForm = /^[\w-]{43}$/;

/** Returns the token of the session; undefined without a cookie, with several cookies, or with a malformed cookie. */
export function readSessionCookie(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map(pair => pair.trim());
  const [token, ...others] = pairs
    .filter(pair => pair.startsWith(`${dashboardCookie}=`))
    .map(pair => pair.slice(dashboardCookie.length + 1));
  return token !== undefined && others.length === 0 && tokenForm.test(token) ? token : undefined;
}

/**
 * The cookies of the dashboard. They are `Secure` when `PUBLIC_URL` begins with https or when the request came over TLS. A proxy that
 * terminates TLS and is not among `TRUSTED_PROXIES` thus does not remove `Secure`.
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

  /** The browser sends this cookie only with requests of the dashboard itself. */
  setDevices(request: Request, response: Response, value: string): void {
    const attributes = { ...this.attributes(request), path: dashboardApi, maxAge: deviceLifetimeMs };
    response.cookie(deviceCookie, value, { ...attributes, sameSite: 'strict', encode: String });
  }

  private attributes({ secure }: Request) {
    return { httpOnly: true, path: '/', secure: secure || this.isPublicOverTls };
  }
}
