# One image, a command for each process: api, worker, operator-api, migrate, promote, provider-check of src/main.
# Node runs TypeScript as it is, so only the workflows' bundle is built. The major is that of package.json's `node`.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package runs a script of its own while it is installed: none of these needs one, as the bundle below shows.
RUN npm ci --omit=dev --ignore-scripts
# Temporal's native library comes for five platforms, of 25 to 30 MB each; one is this image's.
RUN cd node_modules/@temporalio/core-bridge/releases \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && test -f "$(uname -m)-unknown-linux-gnu/index.node"

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# Temporal's native client looks for certificates in the system, which the slim image has none of.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
# Of memory: see docs/scale.md. A young generation is small enough to be gone through often, and malloc keeps what is
# given back in two places, and not in eight for each core.
ENV NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
# `"type": "module"`: without it Node would look at each file to find out what it is.
COPY package.json ./
COPY migrations ./migrations
COPY activities ./activities
COPY workflows ./workflows
COPY src ./src
# What the documentation at /docs is made of, beside the code.
COPY docs/partners ./docs/partners
# What the worker gives to Temporal's sandbox: compiled here once, and not at each start.
RUN node src/main/bundle-workflows.ts
# What Node makes of the TypeScript is kept, and so is not made anew at each start: half of the time that takes, and some
# MiB. Node keeps it by user id, so it is made as the user below; each process reads all its modules before it says that it
# has no settings (78).
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN install --directory --owner=1000 "$NODE_COMPILE_CACHE" \
  && for process in api worker operator-api; do \
    setpriv --reuid=1000 --regid=1000 --clear-groups node "src/main/$process.ts" || test $? = 78 || exit 1; done \
  && setpriv --reuid=1000 --regid=1000 --clear-groups node src/main/operator.ts --help > /dev/null \
  && chown -R 0:0 "$NODE_COMPILE_CACHE" && chmod -R a=rX "$NODE_COMPILE_CACHE"
# Everything above belongs to root, so that the service can not change its own code. A number (the base image's node): who
# starts us may want to see that it is not root's, and may choose any other.
USER 1000:1000
EXPOSE 3000 3001
# Node does not act on SIGTERM as process 1 unless told to, as migrations are not: run it with --init.
CMD ["node", "src/main/api.ts"]
