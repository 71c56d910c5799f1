export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A route of the API, and the action if the route has several. */
export interface Endpoint {
  id: string;
  resource: string;
  method: Method;
  path: string;
  action: string;
  /** Names the operation that the key needs. */
  description: string;
  /** Of the path and the query. */
  parameters: readonly Parameter[];
  body: Schema | undefined;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** All endpoints for account keys, in the order of the document. */
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

export function resourcesOf(endpoints: readonly Endpoint[]): string[] {
  return [...new Set(endpoints.map(({ resource }) => resource))];
}

function endpointsOfRoute(document: OpenApiDocument, method: Method, path: string, operation: Operation): Endpoint[] {
  const { tags: [resource = path] = [], summary: title = method, description = '' } = operation;
  const parameters = (operation.parameters ?? [])
    .map(each => resolved(document, each))
    .filter(each => each.in === 'path' || each.in === 'query');
  return actionsOf(document, operation, parameters, title).map(each => ({
    ...each,
    id: `${method} ${path} ${each.action}`,
    resource,
    method,
    path,
    description: textOf(description, each.action),
  }));
}

/** A description of several actions has a line for each: "- `create` (createRoom): **Create a room.** …". Only this action's is shown. */
function textOf(description: string, action: string): string {
  const line = description.split('\n').find(each => each.startsWith(`- \`${action}\` `));
  return (line?.replace(/^- `\w+` \(\w+\): /, '') ?? description).replaceAll(/\*\*|`/g, '');
}

type Action = Pick<Endpoint, 'action' | 'parameters' | 'body'>;

/** A route without actions is named by its title. */
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

/** The bodies of a route with several actions, by action. */
function bodiesOf(document: OpenApiDocument, { discriminator }: Schema): [string, Schema][] {
  return Object.entries(discriminator?.mapping ?? {}).map(([action, $ref]) => [action, resolved(document, { $ref })]);
}

/** A GET route with several actions takes the action from the query. */
function queryActions(parameters: readonly Parameter[], title: string): Action[] {
  const choices = parameters.find(({ name }) => name === 'action')?.schema?.enum ?? [];
  if (choices.length === 0) return [{ action: title, parameters, body: undefined }];
  return choices.map(choice => ({
    action: String(choice),
    parameters: parameters.map(each => (each.name === 'action' ? { ...each, schema: { const: choice } } : each)),
    body: undefined,
  }));
}

/** The parts of an OpenAPI document that the sandbox reads. */
export interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface Operation {
  tags?: readonly string[];
  summary?: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  minItems?: number;
  pattern?: string;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  oneOf?: readonly Schema[];
  discriminator?: { propertyName: string; mapping?: Readonly<Record<string, string>> };
}

/** A schema or parameter with the parts that it refers to. */
export function resolved<Part extends Schema | Parameter>(document: OpenApiDocument, part: Part): Part {
  const text = JSON.stringify(part, (_, value: unknown) => {
    const { $ref, ...own } = (value ?? {}) as { $ref?: string };
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref ?? '') ?? [];
    const shared = document.components[section]?.[name];
    return shared ? { ...resolved(document, shared), ...own } : value;
  });
  return JSON.parse(text) as Part;
}
