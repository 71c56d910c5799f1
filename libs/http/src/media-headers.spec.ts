import express from 'express';
import request from 'supertest';
import { mediaHeaders } from './index.js';

describe('headers of media', () => {
  it('let any page load it and nothing of it run', async () => {
    const app = express()
      .use(mediaHeaders())
      .get('/', (_request, response) => void response.send('media'));
    const { headers } = await request(app).get('/').expect(200);
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';media-src 'self';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['strict-transport-security']).toContain('max-age');
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  });
});
