import { localAddress, serviceEnvironment, shownAddress } from './services.mjs';

const noPasswords = { gateway: '', sfu: '', transcoder: '', ingest: '' };
const around = {
  root: '/src',
  home: '/home',
  host: '127.0.0.1',
  ports: { gateway: 4000, sfu: 4001, transcoder: 4002, ingest: 4003 },
  databaseUrl: 'postgresql://database',
  natsUrl: 'nats://bus',
  ffmpeg: '/usr/bin/ffmpeg',
  busPasswords: { gateway: 'bus secret g', sfu: 'bus secret s', transcoder: 'bus secret t', ingest: 'bus secret i' },
  secrets: {
    ...{ secretKey: 'key', adminToken: 'token', databasePassword: 'password', servingPassword: 'password' },
    bus: noPasswords,
  },
  env: {},
};

describe('the environment of a service', () => {
  it.each(['sfu', 'transcoder', 'ingest'] as const)('of the %s knows neither the database nor a secret', service => {
    const keys = { RTMS_SECRET_KEY: 'own key', RTMS_PREVIOUS_SECRET_KEYS: 'former keys' };
    const env = {
      ...keys,
      RTMS_ADMIN_TOKEN: 'own token',
      DATABASE_URL: 'postgresql://database',
      DATABASE_OWNER_URL: 'owner of the database',
    };
    const text = JSON.stringify(serviceEnvironment(service, { ...around, env }));
    expect(text).not.toMatch(/own key|former keys|own token|database|password/);
  });

  it.each(['gateway', 'sfu', 'transcoder', 'ingest'] as const)(
    'of the %s has its own password of the bus only',
    service => {
      const env = { NATS_GATEWAY_PASSWORD: 'bus secret g', NATS_SFU_PASSWORD: 'bus secret s' };
      const environment = serviceEnvironment(service, { ...around, env });
      expect(environment).toMatchObject({ NATS_USER: service, NATS_PASSWORD: around.busPasswords[service] });
      expect(JSON.stringify(environment).match(/bus secret/g)).toHaveLength(1);
      expect(serviceEnvironment(service, { ...around, busPasswords: undefined })).not.toHaveProperty('NATS_USER');
    },
  );

  it('of the gateway holds the secrets that the user set, else the kept ones', () => {
    expect(serviceEnvironment('gateway', around)).toMatchObject({ RTMS_SECRET_KEY: 'key', RTMS_ADMIN_TOKEN: 'token' });
    const env = { RTMS_ADMIN_TOKEN: 'own token', RTMS_PREVIOUS_SECRET_KEYS: 'former keys' };
    expect(serviceEnvironment('gateway', { ...around, env })).toMatchObject(env);
  });

  it('takes over the user’s variables, except PORT, which all three would share', () => {
    const env = { GRACE_SECONDS: '5', PORT: '80', RTC_LISTEN_IP: '0.0.0.0' };
    expect(serviceEnvironment('sfu', { ...around, env })).toMatchObject({
      GRACE_SECONDS: '5',
      PORT: '4001',
      RTC_LISTEN_IP: '0.0.0.0',
    });
  });

  it('names the address announced for media as the public one, when the services listen on every interface', () => {
    const env = { RTC_ANNOUNCED_ADDRESS: '192.0.2.7' };
    const open = { ...around, host: '0.0.0.0', env };
    expect(serviceEnvironment('transcoder', open).PUBLIC_URL).toBe('http://192.0.2.7:4002');
    expect(serviceEnvironment('transcoder', { ...around, env }).PUBLIC_URL).toBe('http://127.0.0.1:4002');
  });

  it('names the configured outside address', () => {
    const env = { SFU_PUBLIC_URL: 'https://media.example.com' };
    expect(serviceEnvironment('sfu', { ...around, env })).toMatchObject({
      PUBLIC_URL: 'https://media.example.com',
      INTERNAL_URL: 'http://127.0.0.1:4001',
    });
  });
});

describe('with a certificate', () => {
  const env = { TLS_CERT_FILE: '/tls/cert.pem', TLS_KEY_FILE: '/tls/key.pem' };

  it.each(['gateway', 'sfu', 'transcoder', 'ingest'] as const)('the %s serves by it, at an https address', service => {
    const environment = serviceEnvironment(service, { ...around, env });
    expect(environment).toMatchObject(env);
    expect(environment.PUBLIC_URL).toBe(`https://127.0.0.1:${around.ports[service]}`);
  });

  it.each(['gateway', 'sfu', 'transcoder', 'ingest'] as const)(
    'the %s has the certificate’s name in its address',
    service => {
      const named = { [`${service.toUpperCase()}_PUBLIC_URL`]: 'https://media.example.com/' };
      expect(shownAddress(service, { ...around, env: { ...env, ...named } })).toBe('https://media.example.com');
      expect(shownAddress(service, { ...around, env })).toBe(`https://127.0.0.1:${around.ports[service]}`);
      expect(shownAddress(service, { ...around, env: named })).toBe(`http://127.0.0.1:${around.ports[service]}`);
    },
  );
});

describe('the address of a service on this machine', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', 'http://[::1]:4000'],
    ['::1', 'http://[::1]:4000'],
    ['media.local', 'http://media.local:4000'],
  ])('that listens on %s is %s', (host, address) => {
    expect(localAddress(host, 4000)).toBe(address);
  });
});
