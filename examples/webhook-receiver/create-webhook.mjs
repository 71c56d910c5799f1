// node create-webhook.mjs <address>: creates a webhook for the events of rooms, and prints its secret. No other answer has the secret.
import { createRtms } from '@rtms/server';

const { RTMS_URL = 'http://127.0.0.1:4000', RTMS_KEY = '' } = process.env;
const [url = ''] = process.argv.slice(2);
const rtms = createRtms({ url: RTMS_URL, key: RTMS_KEY });
const { webhook } = await rtms.webhooks.create({ url, eventTypes: ['room.*'] });
process.stdout.write(`${webhook.secret}\n`);
