// Receives webhooks: checks the signature, answers at once, and handles each event once.
import { RtmsWebhookError, verifyWebhook } from '@rtms/server';
import express from 'express';

const { WEBHOOK_SECRET = '', PORT = '3001' } = process.env;
/** Identifiers of handled events. A real application keeps them in its database, in the transaction of its change. @type {Set<string>} */
const handled = new Set();
const remembered = 10_000;

/** The work of your application. @param {import('@rtms/server').WebhookEvent} event */
function handle({ id, type, data }) {
  process.stdout.write(`${id} ${type} ${JSON.stringify(data)}\n`);
}

const app = express();
app.disable('x-powered-by');

// The signature is over the bytes, so the body stays unparsed.
app.post('/webhooks', express.raw({ type: () => true, limit: '256kb' }), (request, response) => {
  const event = verifyWebhook(request.body, request.headers, WEBHOOK_SECRET);
  // Deliveries come at least once.
  if (!handled.has(event.id)) {
    handle(event);
    handled.add(event.id);
    if (handled.size > remembered) handled.delete(/** @type {string} */ (handled.values().next().value));
  }
  response.sendStatus(204);
});

app.use(
  /** @type {express.ErrorRequestHandler} */
  // eslint-disable-next-line no-unused-vars -- Express knows a handler of errors by its four parameters.
  (error, _request, response, _next) => {
    // RTMS repeats a delivery after any other status than 2xx.
    const status = error instanceof RtmsWebhookError ? 401 : (error.status ?? 500);
    response.status(status).json({ error: status < 500 ? error.message : 'internal error' });
  },
);

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`Webhooks at http://127.0.0.1:${address.port}/webhooks\n`);
});
process.once('SIGTERM', () => server.close()).once('SIGINT', () => server.close());
