import type { OpenApiDocument } from '../platform/openapi/document.js';
import { makeAnswerCheck } from './answer-check.js';

const room = {
  type: 'object',
  properties: { meetingID: { type: 'string' }, createdAt: { type: 'string', format: 'date-time' } },
  required: ['meetingID'],
  additionalProperties: false,
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const document: OpenApiDocument = {
  openapi: '3.1.0',
  paths: {
    '/v1/rooms/{meetingID}': { get: { responses: { '200': json({ $ref: '#/components/schemas/Room' }) } } },
    '/v1/rooms/newest': { get: { responses: { '404': json({ type: 'object', required: ['error'] }) } } },
    '/v1/rooms/oldest': { get: { responses: { default: json({ properties: { code: { const: 'GONE' } } }) } } },
  },
  components: { schemas: { Room: room } },
};

describe('makeAnswerCheck', () => {
  const check = makeAnswerCheck(document);
  const rooms = '/v1/rooms/room_1';

  it.each([
    ['an answer as described', 'GET', rooms, 200, { meetingID: 'room_1', createdAt: '2026-11-22T10:00:00Z' }],
    ['a literal path before one with a parameter', 'GET', '/v1/rooms/newest', 404, { error: 'none' }],
    ['a method that the path does not have', 'POST', rooms, 405, {}],
    ['a path that is not described', 'GET', '/v1/nothing', 200, {}],
  ])('allows %s', (_what, method, path, status, answer) => {
    expect(check(method, path, status, JSON.stringify(answer))).toBeUndefined();
  });

  it.each([
    ['a field of another type', 200, { meetingID: 7 }, 'data/meetingID must be string'],
    ['a missing field', 200, {}, "must have required property 'meetingID'"],
    ['a field that is not described', 200, { meetingID: 'room_1', more: 1 }, 'must NOT have additional properties'],
    ['a text of another format', 200, { meetingID: 'room_1', createdAt: 'today' }, 'must match format "date-time"'],
    ['a status that is not described', 500, {}, 'answered 500, which is not described'],
  ])('reports %s', (_what, status, answer, problem) => {
    expect(check('GET', rooms, status, JSON.stringify(answer))).toContain(problem);
  });

  it('checks a failure without a response of its own by the default response', () => {
    expect(check('GET', '/v1/rooms/oldest', 410, '{"code":"GONE"}')).toBeUndefined();
    expect(check('GET', '/v1/rooms/oldest', 409, '{"code":"CONFLICT"}')).toContain('must be equal to constant');
    expect(check('GET', '/v1/rooms/oldest', 200, '{"code":"GONE"}')).toContain('is not described');
  });

  it('reports an undescribed method', () => {
    expect(check('DELETE', rooms, 200, '{}')).toBe('DELETE /v1/rooms/{meetingID} is not described');
  });
});
