# docker build -f deploy/docker/sfu.Dockerfile -t rtms-sfu .
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

# The same lines in every service's file: an engine that keeps layers builds this once.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run build

# Compiled from the sources in the npm package with Debian's compiler: nothing is fetched but from npm and Debian.
FROM ${NODE_IMAGE} AS worker
COPY --from=build /src/node_modules/mediasoup /mediasoup
COPY tools/mediasoup-worker /recipe
RUN /recipe/build.sh /mediasoup /usr/local/bin/mediasoup-worker

FROM build AS image
RUN node tools/images/lay-out.mjs sfu /image
WORKDIR /image
RUN --mount=type=cache,target=/root/.npm npm install --omit=dev && rm -rf node_modules/mediasoup/worker

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="RTMS SFU" \
  org.opencontainers.image.description="Media node of the Real-Time Media Service: WHIP, WHEP and rooms over WebRTC" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"
# What the worker is linked with. Whoever gets into a service finds no package manager of Node's.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsrtp2-1 libssl3 libuv1 \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn* \
  && groupadd --gid 10001 rtms \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin rtms
COPY --from=worker /usr/local/bin/mediasoup-worker /usr/local/bin/mediasoup-worker
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4001 MEDIASOUP_WORKER_BIN=/usr/local/bin/mediasoup-worker
WORKDIR /app
COPY --from=image /image ./
COPY tools/images/health-check.mjs /usr/local/lib/rtms/health-check.mjs
USER 10001:10001
EXPOSE 4001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/usr/local/lib/rtms/health-check.mjs"]
CMD ["node", "apps/sfu/dist/main.js"]
