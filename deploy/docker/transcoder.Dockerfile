# docker build -f deploy/docker/transcoder.Dockerfile -t rtms-transcoder .
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim

# The same lines in every service's file: an engine that keeps layers builds this once.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run build

FROM build AS image
RUN node tools/images/lay-out.mjs transcoder /image
WORKDIR /image
RUN --mount=type=cache,target=/root/.npm npm install --omit=dev

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="RTMS transcoder" \
  org.opencontainers.image.description="Media node of the Real-Time Media Service: HLS broadcasts and recordings by FFmpeg" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"
# A new volume takes the owner of the directory that it covers. Whoever gets into a service finds no package manager of Node's.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn* \
  && groupadd --gid 10001 rtms \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin rtms \
  && install -d -o 10001 -g 10001 /var/lib/rtms/media /var/lib/rtms/recordings
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4002 MEDIA_DIR=/var/lib/rtms/media RECORDINGS_DIR=/var/lib/rtms/recordings FFMPEG_PATH=/usr/bin/ffmpeg
WORKDIR /app
COPY --from=image /image ./
COPY tools/images/health-check.mjs /usr/local/lib/rtms/health-check.mjs
USER 10001:10001
EXPOSE 4002
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/usr/local/lib/rtms/health-check.mjs"]
CMD ["node", "apps/transcoder/dist/main.js"]
