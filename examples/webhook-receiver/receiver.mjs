// Receives webhooks: checks the signature, answers at once, and handles each event once. It needs no key of the API.
import { RtmsWebhookError, verifyWebhook } from '@rtms/server';
import express from 'express';

const { WEBHOOK_SECRET = '', PORT = '3001' } = process.env;

/**
 * Accepted events that wait. An application keeps them in a table instead, with the `Webhook-Id` as key, so that a restart loses none.
 * @type {import('@rtms/server').WebhookEvent[]}
 */
const waiting = [];
const mostWaiting = 1_000;
/** The newest accepted `Webhook-Id`s. @type {Set<string>} */
const accepted = new Set();
const mostAccepted = 10_000;

/** The work of your application. It may take long. @param {import('@rtms/server').WebhookEvent} event */
async function handle(event) {
  const room = event.type === 'room.created' ? `, room of ${event.data.hostName}` : '';
  process.stdout.write(`${event.id} ${event.type}${room}\n`);
}

async function handleWaiting() {
  for (let event = waiting[0]; event; event = waiting[0]) {
    await handle(event).catch(error => process.stderr.write(`${event?.id}: ${error}\n`));
    waiting.shift();
  }
}

/** Deliveries come at least once. @param {string} id @param {import('@rtms/server').WebhookEvent} event */
function acceptOnce(id, event) {
  if (accepted.has(id)) return;
  accepted.add(id);
  if (accepted.size > mostAccepted) accepted.delete(/** @type {string} */ (accepted.values().next().value));
  if (waiting.push(event) === 1) setImmediate(handleWaiting);
}

const app = express();
app.disable('x-powered-by');

// The signature is over the bytes, so the body stays unparsed.
app.post('/webhooks', express.raw({ type: () => true, limit: '256kb' }), (request, response) => {
  const event = verifyWebhook(request.body, request.headers, WEBHOOK_SECRET);
  // RTMS sends a refused event again later.
  const isFull = waiting.length >= mostWaiting;
  if (!isFull) acceptOnce(request.get('Webhook-Id') ?? '', event);
  response.sendStatus(isFull ? 503 : 204);
});

/**
 * @param {Error & { status?: number }} error @param {express.Request} _request @param {express.Response} response
 * @param {express.NextFunction} _next
 */
// oxlint-disable-next-line no-unused-vars -- Express knows a handler of errors by its four parameters.
function answerError(error, _request, response, _next) {
  const status = error instanceof RtmsWebhookError ? 401 : (error.status ?? 500);
  response.status(status).json({ error: status < 500 ? error.message : 'internal error' });
  if (status >= 500) process.stderr.write(`${error}\n`);
}
app.use(answerError);

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`Webhooks at http://127.0.0.1:${address.port}/webhooks\n`);
});
process.once('SIGTERM', () => server.close()).once('SIGINT', () => server.close());
