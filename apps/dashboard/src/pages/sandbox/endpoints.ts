import { resolved, type OpenApiDocument, type Operation, type Parameter, type Schema } from './openapi-document.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One thing that can be asked of the API: a route, and the action where a route has several. */
export interface Endpoint {
  id: string;
  resource: string;
  method: Method;
  path: string;
  action: string;
  /** Which operation the key needs. */
  description: string;
  /** In the path and the query. */
  parameters: readonly Parameter[];
  body: Schema | undefined;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** Everything that a key may ask for, in the order of the document. */
export function endpointsOf(document: OpenApiDocument): Endpoint[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, operations]) =>
      methods.flatMap(method => {
        const operation = operations[method.toLowerCase()];
        return operation ? endpointsOfRoute(document, method, path, operation) : [];
      }),
    );
}

/** Their names, each once. */
export function resourcesOf(endpoints: readonly Endpoint[]): string[] {
  return [...new Set(endpoints.map(({ resource }) => resource))];
}

function endpointsOfRoute(document: OpenApiDocument, method: Method, path: string, operation: Operation): Endpoint[] {
  const { summary = `${path}: ${method}`, description = '' } = operation;
  const [resource = path, title = method] = summary.split(': ');
  const parameters = (operation.parameters ?? []).filter(each => each.in === 'path' || each.in === 'query');
  return actionsOf(document, operation, parameters, title).map(each => ({
    ...each,
    id: `${method} ${path} ${each.action}`,
    resource,
    method,
    path,
    description,
  }));
}

type Action = Pick<Endpoint, 'action' | 'parameters' | 'body'>;

/** Where a route has no actions, its title says what it does. */
function actionsOf(
  document: OpenApiDocument,
  operation: Operation,
  parameters: readonly Parameter[],
  title: string,
): Action[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return queryActions(parameters, title);
  const bodies = bodiesOf(document, schema);
  if (bodies.length === 0) return [{ action: title, parameters, body: resolved(document, schema) }];
  return bodies.map(([action, body]) => ({ action, parameters, body }));
}

/** Bodies by their action, when a route takes several. */
function bodiesOf(document: OpenApiDocument, { discriminator }: Schema): [string, Schema][] {
  return Object.entries(discriminator?.mapping ?? {}).map(([action, $ref]) => [action, resolved(document, { $ref })]);
}

/** A GET with several actions names them in the query. */
function queryActions(parameters: readonly Parameter[], title: string): Action[] {
  const choices = parameters.find(({ name }) => name === 'action')?.schema?.enum ?? [];
  if (choices.length === 0) return [{ action: title, parameters, body: undefined }];
  return choices.map(choice => ({
    action: String(choice),
    parameters: parameters.map(each => (each.name === 'action' ? { ...each, schema: { const: choice } } : each)),
    body: undefined,
  }));
}
