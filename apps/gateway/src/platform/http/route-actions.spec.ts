import { ServiceError } from '@rtms/contracts';
import fc from 'fast-check';
import { ActionTable, routeRequest } from './route-actions.js';

const table = new ActionTable([
  { method: 'POST', path: '/v1/rooms/@create' },
  { method: 'POST', path: '/v1/rooms/@end' },
  { method: 'GET', path: '/v1/rooms/@get' },
  { method: 'POST', path: '/v1/meetings/:meetingID/sessions' },
  { method: 'GET', path: '/v1/meetings/:meetingID/sessions/:sessionID' },
  { method: 'POST', path: '/v1/meetings/:meetingID/sessions/:sessionID/@renewToken' },
  { method: 'GET', path: '/healthz' },
]);

function reasonOf(method: string, path: string, action: unknown): string {
  try {
    return JSON.stringify(routeRequest(table, method, path, action));
  } catch (error) {
    return error instanceof ServiceError ? error.reason : String(error);
  }
}

describe('routing by action', () => {
  it.each([
    ['POST', '/v1/rooms', 'create', '/v1/rooms/@create'],
    ['POST', '/v1/rooms/', 'create', '/v1/rooms/@create'],
    ['POST', '/v1/rooms', 'end', '/v1/rooms/@end'],
    ['GET', '/v1/rooms', 'get', '/v1/rooms/@get'],
    ['GET', '/v1/rooms', undefined, '/v1/rooms/@get'],
    ['HEAD', '/v1/rooms', undefined, '/v1/rooms/@get'],
    ['POST', '/v1/meetings/m1/sessions/s1', 'renewToken', '/v1/meetings/m1/sessions/s1/@renewToken'],
  ])('sends %s %s with %s to %s', (method, path, action, expected) => {
    expect(routeRequest(table, method, path, action)).toEqual({ path: expected, isAction: true });
  });

  it.each([
    ['POST', '/v1/meetings/m1/sessions', undefined],
    ['POST', '/v1/meetings/m1/sessions', 'create'],
    ['GET', '/v1/meetings/m1/sessions/s1', 'get'],
    ['GET', '/healthz', undefined],
    ['GET', '/unknown', 'get'],
  ])('does not change %s %s with %s', (method, path, action) => {
    expect(routeRequest(table, method, path, action)).toEqual({ path, isAction: false });
  });

  it.each([
    undefined,
    null,
    '',
    'Create',
    'get',
    '@create',
    '../end',
    'create/',
    'toString',
    '__proto__',
    7,
    {},
    ['create'],
  ])('refuses a POST with the action %j', action => {
    expect(reasonOf('POST', '/v1/rooms', action)).toBe('unknown_action');
  });

  it('names the actions of the resource', () => {
    expect(() => routeRequest(table, 'POST', '/v1/rooms', 'paint')).toThrow(
      'Unknown action. Actions here are: create, end.',
    );
    expect(() => routeRequest(table, 'POST', '/v1/rooms', undefined)).toThrow('Action is missing.');
  });

  it.each(['/v1/rooms/@create', '/v1/rooms/%40create', '/v1/@x/rooms', '/@create'])('does not find %s', path => {
    expect(reasonOf('POST', path, 'create')).toBe('not_found');
  });

  it('returns the methods of a path', () => {
    expect(routeRequest(table, 'PUT', '/v1/rooms', undefined)).toEqual({ allow: ['GET', 'POST'] });
    expect(routeRequest(table, 'DELETE', '/healthz', undefined)).toEqual({ allow: ['GET'] });
  });

  it('leads to registered actions only', () => {
    const paths = fc.constantFrom('/v1/rooms', '/v1/rooms/', '/v1/meetings/m/sessions/s', '/v1/nothing');
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'PUT'), paths, fc.anything(), (method, path, action) => {
        const result = reasonOf(method, path, action);
        return !result.includes('@') || /@(?:create|end|get|renewToken)"/.test(result);
      }),
    );
  });
});
