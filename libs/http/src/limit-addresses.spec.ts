import { ServiceError } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import type { NextFunction, Request, Response } from 'express';
import { limitAddresses } from './limit-addresses.js';

const limits = { windowSeconds: 60, addressReads: 3, addressWrites: 2 };

function start(own = limits) {
  const clock = new ManualClock();
  const headers: Record<string, unknown> = {};
  const response = { setHeader: (name: string, value: unknown) => void (headers[name] = value) } as unknown as Response;
  const limit = limitAddresses(own, clock, ({ setHeader }) => setHeader('Access-Control-Allow-Origin', '*'));
  const ask = (method: string, ip: string): unknown => {
    let result: unknown;
    const next: NextFunction = (error?: unknown) => (result = error ?? 'taken');
    void limit({ method, ip } as Request, response, next);
    return result instanceof ServiceError ? result.reason : result;
  };
  return { clock, headers, ask };
}

describe('the limit of a client address', () => {
  it('refuses what is above it, says when to come again, and begins anew after the window', async () => {
    const { clock, headers, ask } = start();
    expect([ask('POST', '192.0.2.1'), ask('DELETE', '192.0.2.1')]).toEqual(['taken', 'taken']);
    await clock.advance(20_500);
    expect(ask('PATCH', '192.0.2.1')).toBe('rate_limited');
    expect(headers).toEqual({ 'Retry-After': '40', 'Access-Control-Allow-Origin': '*' });
    await clock.advance(39_500);
    expect(ask('POST', '192.0.2.1')).toBe('taken');
  });

  it('counts reads apart from writes, and each client apart', () => {
    const { ask } = start();
    const reads = ['GET', 'HEAD', 'OPTIONS', 'GET'].map(method => ask(method, '192.0.2.1'));
    expect(reads).toEqual(['taken', 'taken', 'taken', 'rate_limited']);
    expect(ask('POST', '192.0.2.1')).toBe('taken');
    expect(ask('GET', '192.0.2.2')).toBe('taken');
  });

  it('takes the addresses of one IPv6 customer for one client', () => {
    const { ask } = start();
    const asked = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(ip => ask('POST', ip));
    expect(asked).toEqual(['taken', 'taken', 'rate_limited']);
  });

  it('is off at 0', () => {
    const { ask } = start({ windowSeconds: 60, addressReads: 0, addressWrites: 0 });
    expect(Array.from({ length: 50 }, () => ask('POST', '192.0.2.1')).every(each => each === 'taken')).toBe(true);
  });
});
