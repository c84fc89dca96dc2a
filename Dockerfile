# syntax=docker/dockerfile:1
# The reference server as an image. There was no container engine where this file was written, so the image was never
# built there: `test/project/container.test.ts` runs the commands of the last two stages without a container.

FROM node:24-bookworm AS build
WORKDIR /kit
COPY . .
RUN npm install --ignore-scripts --no-audit --no-fund
RUN npm run build -- openapi server
RUN mkdir /packages && npm pack --pack-destination /packages ./openapi/dist ./server/dist

# This stage has the compiler that the SQLite driver needs if no prebuilt one fits.
FROM node:24-bookworm AS install
WORKDIR /app
COPY --from=build /packages /packages
RUN npm install --no-audit --no-fund --no-save /packages/*.tgz

FROM node:24-bookworm-slim
COPY --from=install /app /app
RUN mkdir /data && chown 1000:1000 /data
VOLUME /data
WORKDIR /data
USER 1000:1000
# Without this limit V8's young generation grows from 34 to 134 MB under load, at equal processor time.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 HOST=0.0.0.0 PORT=3000 PRODUCT_PASSPORT_ADMIN_PORT=9090 PRODUCT_PASSPORT_DATABASE=/data/product-passport.sqlite
EXPOSE 3000
# Migrations run before the server is ready, and may take minutes.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5m --start-interval=1s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PRODUCT_PASSPORT_ADMIN_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/@product-passport/server/src/cli/main.js"]
CMD ["serve"]
