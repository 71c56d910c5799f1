/** Who may depend on whom. A rule's comment is what its breach tells. */
const testCode = '(?:\\.(?:spec|e2e-spec|system-spec|contract)\\.tsx?$|^apps/[^/]+/test/|(?:^|/)testing/)';

/** @param {string} name @param {string} comment @param {string} target @param {string[]} allowed */
function onlyIn(name, comment, target, allowed) {
  return { name, comment, severity: 'error', from: { pathNot: allowed }, to: { path: target } };
}

/**
 * What runs in browsers: no Node, but in the command if it has one, and of our libs only those that run there too.
 * @param {string} name @param {string} why @param {string} path @param {string[]} libs @param {string[]} command
 */
function inTheBrowser(name, why, path, libs, ...command) {
  const comment = `${why}: no Node, and of ours only ${libs.join(', ')}.`;
  const rule = { comment, severity: 'error' };
  return [
    {
      ...rule,
      name: `${name}-without-node`,
      from: { path, pathNot: [...command, testCode] },
      to: { dependencyTypes: ['core'] },
    },
    {
      ...rule,
      name: `${name}-in-the-browser`,
      from: { path, pathNot: testCode },
      to: { path: `^libs/(?!(?:${libs.join('|')})/)` },
    },
  ];
}

/** A package by its name, wherever it is installed. */
const pkg = name => `(?:^|/)node_modules/${name}(?:/|$)`;

/** The gateway's domains. Each may import those before it; `dashboard` and `admin` do not know each other. */
const domains = ['platform', 'accounts', 'settings', 'rooms', 'media', 'events'];
const lastDomains = ['dashboard', 'admin'];

const domainsOneWay = [...domains, ...lastDomains].map(domain => {
  const before = domains.slice(0, domains.includes(domain) ? domains.indexOf(domain) : domains.length);
  return {
    name: `${domain}-one-way`,
    comment: `In the gateway, ${domain} imports nothing but ${[...before, 'gateway.config.ts'].join(', ')}.`,
    severity: 'error',
    from: { path: `^apps/gateway/src/${domain}/`, pathNot: testCode },
    to: {
      path: '^apps/gateway/src/',
      pathNot: ['^apps/gateway/src/gateway\\.config\\.ts$', `^apps/gateway/src/(?:${[...before, domain].join('|')})/`],
    },
  };
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one, or three.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'apps-apart',
      comment: 'Apps meet only through @rtms/contracts, over the bus.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'libs-know-no-app',
      comment: 'A lib serves every app.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(?:apps|tools|bench|test)/' },
    },
    {
      name: 'libs-through-index',
      comment: 'Outsiders import a lib by its name, never a file inside.',
      severity: 'error',
      from: { path: '^(?:apps|tools|bench|test|examples)/', pathNot: '^(?:test/setup|tools/rtms)/' },
      to: { path: '^libs/[^/]+/src/(?!index\\.ts$)', dependencyTypesNot: ['aliased-tsconfig'] },
    },
    {
      name: 'libs-apart',
      comment: 'A lib imports another by its name, never a file inside.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/index\\.ts$', '^libs/[^/]+/dist/index\\.'] },
    },
    {
      name: 'contracts-stand-alone',
      comment: 'Contracts import nothing of ours.',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { path: '^(?:libs/(?!contracts/)|apps/)' },
    },
    ...inTheBrowser('client', 'The client runs in pages', '^libs/client/', ['client', 'clock', 'contracts']),
    ...inTheBrowser('player', 'The player runs in pages', '^libs/player/', ['player', 'clock']),
    ...inTheBrowser(
      'importer',
      'Definitions are read in pages',
      '^libs/agent-import/',
      ['agent-import', 'contracts'],
      '^libs/agent-import/src/cli/',
    ),
    {
      name: 'sdk-is-published',
      comment: 'The SDK for servers is built from the OpenAPI document: of ours, only the clock.',
      severity: 'error',
      from: { path: '^libs/server/', pathNot: testCode },
      to: { path: '^libs/(?!(?:server|clock)/)' },
    },
    ...inTheBrowser('dashboard', 'The page runs in browsers', '^apps/dashboard/src/', [
      'client',
      'clock',
      'contracts',
      'agent-import',
      'player',
    ]),
    ...domainsOneWay,
    {
      name: 'entities-at-home',
      comment: 'A domain reads and writes its own rows; another domain asks its service.',
      severity: 'error',
      from: { path: '^apps/gateway/src/([^/]+)/', pathNot: testCode },
      to: { path: '^apps/gateway/src/[^/]+/.*entit(?:y|ies)\\.ts$', pathNot: '^apps/gateway/src/$1/' },
    },
    {
      name: 'pages-apart',
      comment: 'What two pages need is a part or the API’s, so that each page is loaded alone.',
      severity: 'error',
      from: { path: '^apps/dashboard/src/pages/([^/]+)/' },
      to: { path: '^apps/dashboard/src/pages/[^/]+/', pathNot: '^apps/dashboard/src/pages/$1/' },
    },
    onlyIn(
      'react-in-the-dashboard',
      'Services show nothing.',
      pkg('(?:react|react-dom|@mantine/[^/]+|@tanstack/[^/]+)'),
      ['^apps/dashboard/'],
    ),
    onlyIn('devices-in-the-client', 'Members’ media in the browser is the client’s.', pkg('mediasoup-client'), [
      '^libs/client/',
      '^test/',
      '^bench/',
      testCode,
    ]),
    {
      name: 'testing-in-tests-only',
      comment: 'What serves tests is never part of a service.',
      severity: 'error',
      from: { path: '^(?:apps|libs)/', pathNot: ['^libs/testing/', testCode] },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'services-without-tools',
      comment: 'No service knows how it was started.',
      severity: 'error',
      from: { path: '^apps/', pathNot: testCode },
      to: { path: '^(?:tools|bench|test)/' },
    },
    onlyIn('mediasoup-in-its-adapter', 'The rest of the SFU knows the media engine port.', pkg('mediasoup'), [
      '^apps/sfu/src/media/mediasoup/',
      '^tools/',
      '^bench/',
      '^test/',
    ]),
    onlyIn('nats-in-the-bus', 'Everyone else knows the bus port.', pkg('@nats-io/[^/]+'), ['^libs/bus/', '^tools/']),
    onlyIn('traces-by-one-lib', 'Everyone else knows spans, not who sends them.', pkg('@opentelemetry/(?!api/)[^/]+'), [
      '^libs/tracing/',
    ]),
    onlyIn('database-in-the-gateway', 'The database is the gateway’s alone.', pkg('(?:typeorm|@nestjs/typeorm|pg)'), [
      '^apps/gateway/',
      '^libs/testing/',
      '^tools/',
      '^bench/',
      '^test/',
    ]),
    onlyIn('processes-in-the-encoder', 'Only FFmpeg is a process of ours.', '^(?:node:)?child_process$', [
      '^apps/transcoder/src/(?:encoder|sending)/',
      '^apps/ingest/src/(?:publishing|srt)/',
      '^libs/ffmpeg/',
      '^libs/testing/',
      '^tools/',
      '^test/',
      '^bench/',
      testCode,
    ]),
    {
      name: 'no-dev-packages',
      comment: 'A service runs without development packages; the page is bundled with what it needs.',
      severity: 'error',
      from: { path: '^(?:apps|libs)/', pathNot: ['^libs/testing/', '^apps/dashboard/', testCode] },
      to: { dependencyTypes: ['npm-dev'], pathNot: pkg('@types') },
    },
    {
      name: 'examples-as-applications',
      comment: 'An example uses only packages that an application can install.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(?:apps|tools|test|bench|libs/(?!(?:server|client|player|agent-import)/))' },
    },
    {
      name: 'resolvable',
      comment: 'This import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['/dist/', '^test/browser/pages/', '^tools/mediasoup-worker/overlay/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
