# docker build -f deploy/docker/sfu.Dockerfile -t rtms-sfu .
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev && npm run build && npm prune --omit=dev
# Takes the published mediasoup-worker, or builds one with Debian's compiler.
RUN tools/mediasoup-worker/ensure.sh node_modules/mediasoup

FROM node:20-bookworm-slim
# What a worker that was built here is linked with; the published one needs none of them.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libsrtp2-1 libssl3 libuv1 \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4001
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/libs libs
COPY --from=build /app/apps/sfu apps/sfu
USER node
EXPOSE 4001
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/sfu/dist/main.js"]
