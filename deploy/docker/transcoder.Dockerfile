# docker build -f deploy/docker/transcoder.Dockerfile -t rtms-transcoder .
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev && npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /var/lib/rtms/media
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4002 MEDIA_DIR=/var/lib/rtms/media FFMPEG_PATH=/usr/bin/ffmpeg
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/libs libs
COPY --from=build /app/apps/transcoder apps/transcoder
USER node
EXPOSE 4002
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/transcoder/dist/main.js"]
