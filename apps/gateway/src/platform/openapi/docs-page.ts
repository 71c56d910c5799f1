import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import express, { type RequestHandler, type Router } from 'express';

const assetsFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>RTMS API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/open.js"></script>
  </body>
</html>
`;

const script = `SwaggerUIBundle({ url: '/docs/openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'none', filter: true });
`;

/** The page loads nothing from other hosts, but sends the requests of its reader to media nodes. It also works over plain HTTP. */
const policy =
  "default-src 'self'; connect-src 'self' http: https:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'";

/** `GET /docs`: the reference of the public API, from an OpenAPI document that has an operation for each action. */
export function docsPage(): Router {
  const router = express.Router();
  router.use(withPolicy);
  router.get('/', (_, response) => void response.type('html').send(page));
  router.get('/open.js', (_, response) => void response.type('js').send(script));
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    router.get(`/${file}`, (_, response) => response.sendFile(file, { root: assetsFolder, maxAge: '1h' }));
  }
  return router;
}

const withPolicy: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', policy);
  next();
};
