# One file for the images of all services, and for that of provisioning: docs/images.md.
#
#   docker build --build-arg SERVICE=payments --tag frontdesk/payments .
#   docker build --target provision --tag frontdesk/provision .
#
# Both bases are pinned by version. Pin them by digest as well where you build: NAME:TAG@sha256:...
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG BASE_IMAGE=debian:12.12-slim

# What decides on the dependencies, so that a change of the code does not install them again.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name 'pnpm-*.yaml' ! -path './scripts/pnpm.mjs' ! -path './scripts/bootstrap/*' -delete \
  && find . -type d -empty -delete

FROM ${NODE_IMAGE} AS prepared
WORKDIR /app
COPY --from=manifests /app .
RUN node scripts/pnpm.mjs install --frozen-lockfile
COPY . .
RUN set -e; for config in services/*/prisma.config.ts; do (cd "$(dirname "$config")" && node_modules/.bin/prisma generate); done
RUN node scripts/site/build.ts

FROM prepared AS service-tree
ARG SERVICE
RUN node scripts/image-tree.ts "${SERVICE}" /tree

FROM prepared AS provision-tree
RUN node scripts/image-tree.ts provision /tree

# Node and a C library, without npm.
FROM ${BASE_IMAGE} AS runtime
COPY --from=prepared /usr/local/bin/node /usr/local/bin/node
# An operator's command, and Prisma's, find this Node.
ENV PATH=/usr/local/bin:/usr/bin:/bin
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/node"]

FROM runtime AS provision
COPY --from=provision-tree /tree /app
WORKDIR /app
CMD ["scripts/provision.ts"]
# Last, so that another commit with the same code shares the layers before.
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Frontdesk provision" org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.base.name="debian:12.12-slim"

FROM runtime AS service
ARG SERVICE
COPY --from=service-tree /tree /app
WORKDIR /app/services/${SERVICE}
CMD ["src/main.ts"]
# Last, so that another commit with the same code shares the layers before.
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Frontdesk ${SERVICE}" org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.base.name="debian:12.12-slim"
