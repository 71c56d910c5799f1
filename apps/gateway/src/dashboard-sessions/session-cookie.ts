import { dashboardCookie } from '@rtms/contracts';
import type { Request, Response } from 'express';
import { lifetimeMs } from './dashboard-sessions.service.js';

const tokenForm = /^[\w-]{43}$/;

/** The session's token; undefined when there is none, or several, or something else. */
export function readSessionCookie(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map(pair => pair.trim());
  const [token, ...others] = pairs
    .filter(pair => pair.startsWith(`${dashboardCookie}=`))
    .map(pair => pair.slice(dashboardCookie.length + 1));
  return token !== undefined && others.length === 0 && tokenForm.test(token) ? token : undefined;
}

export function setSessionCookie(request: Request, response: Response, token: string): void {
  response.cookie(dashboardCookie, token, { ...attributes(request), maxAge: lifetimeMs });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.clearCookie(dashboardCookie, attributes(request));
}

function attributes({ secure }: Request) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
}
