import { readFileSync } from 'node:fs';
import { mayReach, type Peer } from './network.js';
import { ofKind, parseManifests, render, repository, titleOf, type Loose, type Manifest } from './render.js';

/** A host of an Ingress, or of an HTTPRoute. */
interface Route {
  name: string;
  namespace: string;
  host: string;
  paths: string[];
  services: { name: string; port: string | number }[];
  /** Issuer and hosts of the certificate. */
  issuer: string | undefined;
  certified: string[];
  protection: string | undefined;
}

const issuerOf = ({ metadata }: Manifest): string | undefined =>
  metadata.annotations?.['cert-manager.io/cluster-issuer'];

function ofIngress(ingress: Manifest): Route {
  const [{ host, http }] = ingress.spec.rules;
  const { annotations = {} } = ingress.metadata;
  return {
    name: ingress.metadata.name,
    namespace: ingress.metadata.namespace!,
    host,
    paths: http.paths.map(({ path }: Loose) => path),
    services: http.paths.map(({ backend: { service } }: Loose) => ({ name: service.name, port: service.port.name })),
    issuer: issuerOf(ingress),
    certified: ingress.spec.tls.flatMap(({ hosts }: Loose) => hosts),
    protection:
      annotations['nginx.ingress.kubernetes.io/whitelist-source-range'] ??
      annotations['traefik.ingress.kubernetes.io/router.middlewares'],
  };
}

function ofHttpRoute(manifests: readonly Manifest[], route: Manifest): Route {
  const [{ name, sectionName }] = route.spec.parentRefs;
  const gateway = ofKind(manifests, 'Gateway').find(({ metadata }) => metadata.name === name)!;
  const listener = gateway.spec.listeners.find((each: Loose) => each.name === sectionName);
  const { from, selector } = listener.allowedRoutes.namespaces;
  const namespace = route.metadata.namespace!;
  const isAllowed =
    from === 'Same'
      ? namespace === gateway.metadata.namespace
      : selector.matchLabels['kubernetes.io/metadata.name'] === namespace;
  return {
    name: route.metadata.name,
    namespace,
    host: route.spec.hostnames[0],
    paths: route.spec.rules.flatMap(({ matches }: Loose) => matches.map(({ path }: Loose) => path.value)),
    services: route.spec.rules.flatMap(({ backendRefs }: Loose) => backendRefs),
    issuer: issuerOf(gateway),
    certified: isAllowed && listener.tls ? [listener.hostname] : [],
    protection: gateway.spec.gatewayClassName === 'internal' ? 'internal' : undefined,
  };
}

function routesOf(manifests: readonly Manifest[]): Route[] {
  const redirects = ({ spec }: Manifest): boolean => spec.rules.some(({ filters }: Loose) => filters);
  return [
    ...ofKind(manifests, 'Ingress').map(ofIngress),
    ...ofKind(manifests, 'HTTPRoute')
      .filter(route => !redirects(route))
      .map(route => ofHttpRoute(manifests, route)),
  ];
}

const issuers = ofKind(
  parseManifests(readFileSync(`${repository}deploy/examples/cluster-issuers.yaml`, 'utf8')),
  'ClusterIssuer',
);
const flavours = ['routes/gateway-api', 'routes/traefik', 'routes/ingress-nginx'];

describe.each(flavours)('the routes of deploy/%s', flavour => {
  const manifests = render(flavour);
  const routes = routesOf(manifests);

  it('admit the public only to public paths, and administrators on a host of their own', () => {
    expect(Object.fromEntries(routes.map(({ name, paths }) => [name, paths]))).toEqual({
      api: ['/v1', '/dashboard', '/docs', '/openapi.json'],
      admin: ['/admin'],
      media: ['/whip', '/whep'],
      hls: ['/hls', '/recordings'],
    });
    const guarded = routes.filter(({ protection }) => protection !== undefined).map(({ name }) => name);
    expect(guarded).toEqual(['admin']);
  });

  it.each(['overlays/production', 'overlays/single-node'])('lead to Services and ports of deploy/%s', overlay => {
    const services = ofKind(render(overlay), 'Service');
    for (const { namespace, services: wanted } of routes) {
      for (const { name, port } of wanted) {
        const service = services.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
        const ports = service?.spec.ports.flatMap((each: Loose) => [each.name, each.port]);
        expect([name, ports]).toEqual([name, expect.arrayContaining([port])]);
      }
    }
  });

  it.each(['overlays/production', 'overlays/single-node'])('have the hosts that deploy/%s announces', overlay => {
    const maps = ofKind(render(overlay), 'ConfigMap');
    const announced = ['gateway', 'sfu', 'transcoder'].map(service => {
      const { data } = maps.find(({ metadata }) => metadata.name.startsWith(`${service}-config`))!;
      return new URL(data!['PUBLIC_URL']!).host;
    });
    expect(announced).toEqual(['api', 'media', 'hls'].map(name => routes.find(each => each.name === name)?.host));
  });

  it('have a certificate for each host, from an issuer of the example', () => {
    for (const { host, issuer, certified } of routes) {
      expect([host, certified]).toEqual([host, [host]]);
      expect(issuers.map(({ metadata }) => metadata.name)).toContain(issuer);
    }
  });
});

it('the Gateway answers the challenges of its issuer, and sends other requests without TLS to HTTPS', () => {
  const manifests = render('routes/gateway-api');
  const issuer = issuers.find(({ metadata }) => metadata.name === 'letsencrypt');
  const [parent] = issuer!.spec.acme.solvers[0].http01.gatewayHTTPRoute.parentRefs;
  const gateway = ofKind(manifests, parent.kind).find(({ metadata }) => metadata.name === parent.name)!;
  const listener = gateway.spec.listeners.find(({ name }: Loose) => name === parent.sectionName);
  expect(listener).toMatchObject({ protocol: 'HTTP', port: 80, allowedRoutes: { namespaces: { from: 'Same' } } });
  const redirect = ofKind(manifests, 'HTTPRoute').find(each => titleOf(each) === 'HTTPRoute rtms/redirect')!;
  expect(redirect.spec.parentRefs[0].sectionName).toBe(parent.sectionName);
  expect(redirect.spec.rules[0].filters[0].requestRedirect).toEqual({ scheme: 'https', statusCode: 301 });
});

it('the Traefik of k3s reaches what it routes to, and nothing else', () => {
  const manifests = [...render('overlays/single-node'), ...render('routes/traefik')];
  const traefik: Peer = { namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'traefik' } };
  const reaches = (namespace: string, labels: Record<string, string>, port: number): boolean =>
    mayReach(manifests, traefik, { namespace, labels }, { protocol: 'TCP', port });
  const solver = { 'acme.cert-manager.io/http01-solver': 'true' };
  const named = (name: string): Record<string, string> => ({ 'app.kubernetes.io/name': name });
  expect([
    reaches('rtms', named('gateway'), 4000),
    reaches('rtms', named('transcoder'), 4002),
    reaches('rtms', solver, 8089),
    reaches('rtms-sfu', solver, 8089),
  ]).toEqual([true, true, true, true]);
  expect([reaches('rtms', named('gateway'), 9400), reaches('rtms', named('nats'), 4222)]).toEqual([false, false]);
});
