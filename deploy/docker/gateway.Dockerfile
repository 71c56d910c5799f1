# docker build -f deploy/docker/gateway.Dockerfile -t rtms-gateway .
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev && npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/libs libs
COPY --from=build /app/apps/gateway apps/gateway
COPY --from=build /app/apps/dashboard/dist apps/dashboard/dist
USER node
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/gateway/dist/main.js"]
