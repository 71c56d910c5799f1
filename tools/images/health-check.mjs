// HEALTHCHECK runs this program in an image: exit code 0 while the service is ready. It reads the service's variables.
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { argv, env, exit } from 'node:process';

const wildcards = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };
const host = env.HOST ?? '';
const hostname = wildcards[/** @type {keyof typeof wildcards} */ (host)] ?? host;

/** The management port has no TLS; the certificate of the other names the public host, not this address. */
const isSecure = !env.MANAGEMENT_PORT && Boolean(env.TLS_CERT_FILE);
const port = env.MANAGEMENT_PORT || env.PORT;
const request = isSecure ? overHttps : overHttp;

request({ hostname, port, path: argv[2] ?? '/readyz', timeout: 4_000, rejectUnauthorized: false }, answer => {
  exit(answer.statusCode === 200 ? 0 : 1);
})
  .on('timeout', () => exit(1))
  .on('error', () => exit(1))
  .end();
