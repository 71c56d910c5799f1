import { extname, join } from 'node:path';
import { installation } from '@rtms/config';
import { ServiceError } from '@rtms/contracts';
import type { Request, RequestHandler, Response } from 'express';
import type { GatewayConfig } from '../../gateway.config.js';
import { contentPolicy } from './content-policy.js';
import { PageFiles, type Encoding, type PageFile } from './page-files.js';

/** The output folder of the dashboard's build. */
const defaultFolder = join(installation.root, 'apps/dashboard/dist');
const indexPath = 'index.html';

/** Names of files in this folder change with their content. */
const hashedFolder = 'assets/';
/**
 * The page of share links, which other sites embed. Browsers send no session cookie from a frame of another site (`SameSite=Lax`), so
 * such a frame is never signed in.
 */
const watchPath = '/watch';

const permissions = 'camera=(self), microphone=(self), display-capture=(self)';

/** Serves `GET /dashboard` and the paths below, except its API. Routes of the page get the index file. */
export function dashboardPage(
  { dashboardFolder = defaultFolder }: Pick<GatewayConfig, 'dashboardFolder'>,
  nodeAddresses: () => readonly string[],
): RequestHandler {
  const files = new PageFiles(dashboardFolder);
  return async (request, response, next) => {
    const { method, path } = request;
    if ((method !== 'GET' && method !== 'HEAD') || /^\/api(?:\/|$)/.test(path)) {
      next();
      return;
    }
    const mayBeEmbedded = path === watchPath;
    response.setHeader('Content-Security-Policy', contentPolicy(nodeAddresses(), mayBeEmbedded));
    if (mayBeEmbedded) response.removeHeader('X-Frame-Options');
    response.setHeader('Permissions-Policy', permissions);
    await serve(files, request, response);
  };
}

/** Leads a browser from `/` to the dashboard. Clients that want JSON get the usual 404. */
export const startPage: RequestHandler = (request, response, next) => {
  const { method, path } = request;
  if (path !== '/' || (method !== 'GET' && method !== 'HEAD')) {
    next();
    return;
  }
  response.vary('Accept');
  if (request.accepts(['html', 'json']) === 'html') response.redirect('/dashboard');
  else next();
};

async function serve(files: PageFiles, request: Request, response: Response): Promise<void> {
  const wanted = request.path.slice(1);
  const path = isRouteOfThePage(wanted) ? indexPath : wanted;
  const file = await files.find(path);
  if (!file) throw missing(path);
  response.setHeader('Cache-Control', cacheControlOf(path));
  await send(request, response, path, file);
}

function isRouteOfThePage(path: string): boolean {
  return !path.startsWith(hashedFolder) && extname(path) === '';
}

function cacheControlOf(path: string): string {
  if (path === indexPath) return 'no-cache';
  return path.startsWith(hashedFolder) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
}

async function send(request: Request, response: Response, path: string, file: PageFile): Promise<void> {
  const accepted = request.acceptsEncodings([...file.encodings]);
  const encoding: Encoding = file.encodings.find(each => each === accepted) ?? 'identity';
  response.type(extname(path));
  response.vary('Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('ETag', file.etag);
  // Express answers 304 when the client has this ETag.
  response.send(await file.bytes(encoding));
}

function missing(path: string): ServiceError {
  const message = path === indexPath ? 'The dashboard is not built: run npm run build.' : 'There is no such file.';
  return new ServiceError('not_found', message);
}
