/**
 * One method of the SDK.
 * @typedef {object} Method
 * @property {string} namespace `rooms`
 * @property {string} name `create`
 * @property {string} operationId
 * @property {string} method of HTTP
 * @property {string} path without the action
 * @property {string | undefined} action
 * @property {'call' | 'one' | 'list'} kind `one` and `list` are the two methods of a read that answers one record or a list
 * @property {string | undefined} id the query parameter of `one`
 * @property {string | undefined} items the member of an answer that has the records of a page
 * @property {boolean} hasQuery
 * @property {'required' | 'optional' | undefined} body
 * @property {string} text
 */

/** Parameters that the SDK sets by itself. */
const ownParameters = ['action', 'envelope', 'startIndex', 'pageSize'];

/**
 * The methods of all operations of a document that has one operation for each action.
 * @param {any} document
 * @returns {Method[]}
 */
export function methodsOf({ paths, components }) {
  /** @type {Method[]} */
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(/** @type {Record<string, any>} */ (operations)).flatMap(([method, operation]) =>
      methodsOfOperation(path, method, operation, components),
    ),
  );
  const names = methods.map(({ namespace, name }) => `${namespace}.${name}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`Two operations would be the SDK's method ${twice}. Give one another operationId.`);
  return methods;
}

/** @param {string} address @param {string} method @param {any} operation @param {any} components @returns {Method[]} */
function methodsOfOperation(address, method, operation, components) {
  const { operationId, tags, summary, description, parameters, requestBody, responses } = operation;
  const [path = '', action] = address.split('#');
  const namespace = camelCase(tags[0]);
  const query = parameters
    .map((/** @type {any} */ each) => resolved(each, components.parameters))
    .filter((/** @type {any} */ each) => each.in === 'query')
    .map((/** @type {any} */ each) => each.name);
  const answers = membersOf(responses, components.schemas);
  const items = answers.map(itemsOf).find(Boolean);
  /** @param {Partial<Method>} own @returns {Method} */
  const made = own => ({
    ...{ namespace, operationId, method: method.toUpperCase(), path, action },
    ...{ name: methodName({ namespace, operationId, path, action }), kind: items === undefined ? 'call' : 'list' },
    ...{ id: undefined, items, body: bodyOf(requestBody, components.schemas) },
    hasQuery: query.some((/** @type {string} */ each) => !ownParameters.includes(each)),
    text: [summary, description].filter(Boolean).join('.\n\n'),
    ...own,
  });
  const isChoice = action !== undefined && items !== undefined && answers.some(each => itemsOf(each) === undefined);
  if (!isChoice) return [made({})];
  const id = query.find((/** @type {string} */ each) => each.endsWith('ID'));
  return [made({ kind: 'one', id, items: undefined, hasQuery: false }), made({ name: 'list' })];
}

/** The names of the members of each possible success. @param {any} responses @param {any} schemas @returns {any[]} */
function membersOf(responses, schemas) {
  return Object.values(/** @type {Record<string, any>} */ (responses)).flatMap(({ content }) => {
    const schema = resolved(content?.['application/json']?.schema ?? {}, schemas);
    return (schema.anyOf ?? [schema]).flatMap((/** @type {any} */ each) => {
      const { properties } = resolved(each, schemas);
      if (!properties) return [];
      const members = Object.entries(properties).map(([name, member]) => [name, resolved(member, schemas)]);
      return [Object.fromEntries(members)];
    });
  });
}

/** A part of the document, or the component that it refers to. @param {any} part @param {any} components @returns {any} */
function resolved(part, components) {
  return part.$ref === undefined ? part : components[part.$ref.split('/').at(-1)];
}

/** The records of a page, which has a total, or a cursor for the next one. @param {any} members */
function itemsOf(members) {
  if (!('total' in members) && !('nextCursor' in members)) return undefined;
  return Object.keys(members).find(name => members[name].type === 'array');
}

/** Whether callers send fields besides the action. @param {any} requestBody @param {any} schemas */
function bodyOf(requestBody, schemas) {
  const schema = requestBody?.content['application/json'].schema;
  const name = (schema?.oneOf?.[0] ?? schema)?.$ref.split('/').at(-1);
  const fields = Object.keys(schemas[name]?.properties ?? {}).filter(each => each !== 'action');
  if (fields.length === 0) return undefined;
  return requestBody.required ? 'required' : 'optional';
}

/**
 * The action, or the operationId without the noun of the namespace: `createExternalSession` is `externalSessions.create`.
 * @param {Pick<Method, 'namespace' | 'operationId' | 'path' | 'action'>} operation
 */
function methodName({ namespace, operationId, path, action }) {
  if (action !== undefined && !path.includes('{')) return action;
  const noun = namespace.charAt(0).toUpperCase() + namespace.slice(1);
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? [];
  const own = [noun, noun.replace(/s$/, '')].find(each => rest.startsWith(each));
  return own === undefined ? operationId : verb + rest.slice(own.length);
}

/** `AI credentials` → `aiCredentials`. @param {string} text */
export function camelCase(text) {
  const [first = '', ...others] = text.toLowerCase().split(/[^a-z0-9]+/);
  return first + others.map(each => each.charAt(0).toUpperCase() + each.slice(1)).join('');
}

/** @param {any} document */
export function sdkMethods(document) {
  const methods = methodsOf(document);
  const namespaces = [...new Set(methods.map(({ namespace }) => namespace))].sort();
  const texts = Object.fromEntries(
    document.tags.map((/** @type {any} */ tag) => [camelCase(tag.name), tag.description]),
  );
  const of = (/** @type {string} */ namespace) => methods.filter(each => each.namespace === namespace);
  const declared = namespaces.map(namespace => {
    return `${comment(texts[namespace] ?? '')} ${namespace}: {\n${of(namespace).map(declaration).join('\n')}\n};`;
  });
  const table = namespaces.map(namespace => {
    return `${namespace}: {\n${of(namespace).map(entry).join('\n')}\n},`;
  });
  return `import type { Answer, Body, CallOptions, Item, Listing, ListQuery, MethodTable, One, Query } from '../methods.js';

/** The operations of the API as methods. An answer is that of the API reference without \`success\`. */
export interface Api {
${declared.join('\n')}
}

/** The request of each method. */
export const methodTable = {
${table.join('\n')}
} as const satisfies MethodTable;
`;
}

/** @param {Method} method */
function declaration({ name, operationId, path, kind, id, items, hasQuery, body, text }) {
  const operation = `'${operationId}'`;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, each]) => `${each}: string`),
    ...(kind === 'one' && id !== undefined ? [`${id}: string`] : []),
    ...(body ? [`body${body === 'optional' ? '?' : ''}: Body<${operation}>`] : []),
    ...(kind === 'list' ? [`query?: ListQuery<${operation}>`] : hasQuery ? [`query?: Query<${operation}>`] : []),
    'options?: CallOptions',
  ];
  const answer = {
    call: `Promise<Answer<${operation}>>`,
    one: `Promise<One<${operation}>>`,
    list: `Listing<Item<${operation}, '${items}'>>`,
  }[kind];
  return `${comment(text)} ${name}(${parameters.join(', ')}): ${answer};`;
}

/** @param {Method} method */
function entry({ name, operationId, method, path, action, kind, id, items, hasQuery, body }) {
  const request = { operationId, method, path, action, kind, id, items };
  const flags = { hasQuery: hasQuery || kind === 'list' || undefined, hasBody: body !== undefined || undefined };
  return `${name}: ${JSON.stringify({ ...request, ...flags })},`;
}

/** @param {string} text */
function comment(text) {
  return text === '' ? '' : `/**\n${text.replaceAll('*/', '* /').replaceAll(/^/gm, ' * ')}\n */\n`;
}

/** The classes of the failures, one for each code. @param {any} document */
export function errorClasses({ components }) {
  const { code, reason } = components.schemas.Failure.properties;
  const codes = /** @type {string[]} */ (code.enum);
  const className = (/** @type {string} */ each) => {
    const words = each
      .toLowerCase()
      .split('_')
      .filter(word => word !== 'error');
    return `Rtms${words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
  };
  const classes = codes.map(
    each => `/** The gateway answered with the code \`${each}\`. */
export class ${className(each)} extends RtmsApiError { declare readonly code: '${each}'; override readonly name = '${className(each)}'; }`,
  );
  return `import { RtmsApiError } from '../errors.js';

/** The exact cause of a failure. A later gateway may add reasons. */
export type ErrorReason = ${reason.enum.map((/** @type {string} */ each) => `'${each}'`).join(' | ')};

${classes.join('\n\n')}

/** The class of each code. */
export const errorClasses = {
${codes.map(each => `${each}: ${className(each)},`).join('\n')}
} as const;

export type ErrorCode = keyof typeof errorClasses;
`;
}
