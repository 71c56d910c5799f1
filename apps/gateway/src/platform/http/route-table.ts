import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';

type Handler = (...parameters: unknown[]) => unknown;

/** One handler of a controller with its address. */
export interface Route {
  method: string;
  /** As declared, with a leading slash: `/v1/rooms/@create`. */
  path: string;
  controller: new (...parameters: never[]) => object;
  handler: Handler;
}

/** An application, or a `ModuleRef` of it. */
interface Container {
  get(type: typeof ModulesContainer, options: { strict: false }): ModulesContainer;
}

/** Returns the routes of all controllers. */
export function collectRoutes(app: Container): Route[] {
  const controllers = new DiscoveryService(app.get(ModulesContainer, { strict: false })).getControllers();
  return controllers.flatMap(({ metatype }) => routesOf(metatype as Route['controller']));
}

function routesOf(controller: Route['controller']): Route[] {
  const prototype = controller.prototype as Record<string, Handler>;
  const base = firstPath(Reflect.getMetadata(PATH_METADATA, controller));
  return new MetadataScanner().getAllMethodNames(prototype).flatMap(name => {
    const handler = prototype[name];
    if (!handler || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? 'GET';
    const path = joinPath(base, firstPath(Reflect.getMetadata(PATH_METADATA, handler)));
    return [{ method, path, controller, handler }];
  });
}

function firstPath(path: unknown): string {
  const [first] = Array.isArray(path) ? (path as unknown[]) : [path];
  return typeof first === 'string' ? first : '';
}

function joinPath(...parts: string[]): string {
  return `/${parts
    .flatMap(part => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}
