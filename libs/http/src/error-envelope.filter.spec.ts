import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { DeadlineError, NoResponderError, RemoteError } from '@rtms/bus';
import { ServiceError } from '@rtms/contracts';
import { toServiceError } from './error-envelope.filter.js';

const parserError = (type: string, status: number): Error => Object.assign(new Error('raw'), { type, status });

describe('toServiceError', () => {
  it.each<[string, unknown, string, number]>([
    ['a missing route', new NotFoundException('Cannot GET /x'), 'not_found', 404],
    ['bad JSON that Nest wrapped', new BadRequestException('Unexpected token in JSON'), 'malformed_json', 400],
    ['bad JSON', parserError('entity.parse.failed', 400), 'malformed_json', 400],
    ['a large body', parserError('entity.too.large', 413), 'body_too_large', 413],
    ['an unknown charset', parserError('charset.unsupported', 415), 'unsupported_media_type', 415],
    ['a path that cannot be decoded', Object.assign(new URIError('x'), { status: 400 }), 'invalid_request', 400],
    ['an address without a responder', new NoResponderError('rtms.x'), 'controller_unavailable', 503],
    ['a reply that did not come', new DeadlineError('rtms.x'), 'controller_unavailable', 503],
    ['a failure of another service', new RemoteError({ reason: 'room_full', message: 'Full.' }), 'room_full', 409],
    ['an unknown failure of another service', new RemoteError({ reason: 'odd', message: '!' }), 'internal_error', 500],
    ['a service that is not ready', new HttpException('x', 503), 'dependency_unavailable', 503],
    ['a defect', new TypeError('x is undefined'), 'internal_error', 500],
    ['something that is no error', 'oops', 'internal_error', 500],
  ])('names %s', (_case, error, reason, status) => {
    expect(toServiceError(error)).toMatchObject({ reason, status });
  });

  it('names the size limit of a body', () => {
    const error = Object.assign(parserError('entity.too.large', 413), { limit: 16_384 });
    expect(toServiceError(error).message).toContain('at most 16384 bytes');
  });

  it('keeps the details of another service', () => {
    const error = new RemoteError({ reason: 'payload_type_mismatch', message: 'No.', details: { payloadProfile: 1 } });
    expect(toServiceError(error).toBody()).toMatchObject({ error: 'No.', payloadProfile: 1 });
  });

  it('returns a ServiceError unchanged', () => {
    const error = new ServiceError('room_ended', 'The room has ended.');
    expect(toServiceError(error)).toBe(error);
  });

  it('hides an unexpected error', () => {
    expect(JSON.stringify(toServiceError(new Error('password is hunter2')).toBody())).not.toContain('hunter2');
  });
});
