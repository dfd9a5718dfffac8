# An image with the tools of toscac: docker build -t toscac . && docker run --rm
# -v "$PWD:/work" toscac service.yaml -o plan.json
FROM debian:bookworm AS build
COPY . /toscac
WORKDIR /toscac
RUN apt-get update && scripts/install-dependencies build package && scripts/package /packages

FROM debian:bookworm-slim
COPY --from=build /packages/*.deb /packages/
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 \
      /packages/toscac_*.deb /packages/toscac-profiles_*.deb \
    && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["toscac"]
