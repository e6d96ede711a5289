#!/usr/bin/env bash
# Publishes the image of a tag: `part` on a machine of each platform, then `index` joins them.
# IMAGE is its name in a registry, GITHUB_REF_NAME the tag, ACTOR and TOKEN who publishes.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${GITHUB_REF_NAME#v}
image=${IMAGE:?} # such as registry.example/somebody/patrizier
image=${image,,} # registries know no capitals
docker login "${image%%/*}" --username "$ACTOR" --password-stdin <<<"$TOKEN"

case ${1:-} in
  part)
    python3 scripts/build_image.py --builder docker --tag "$image:$version-$PLATFORM"
    docker push "$image:$version-$PLATFORM"
    ;;
  index)
    tags=(--tag "$image:$version")
    # A version like 1.0.0rc1 is nobody's latest.
    if [[ $version =~ ^([0-9]+)\.([0-9]+)\.[0-9]+$ ]]; then
      tags+=(--tag "$image:${BASH_REMATCH[1]}.${BASH_REMATCH[2]}" --tag "$image:${BASH_REMATCH[1]}" --tag "$image:latest")
    fi
    docker buildx imagetools create "${tags[@]}" "$image:$version-amd64" "$image:$version-arm64"
    digest=$(docker buildx imagetools inspect "$image:$version" --format '{{.Manifest.Digest}}')
    echo "digest=$digest" >>"${GITHUB_OUTPUT:-/dev/stdout}"
    ;;
  *)
    echo "usage: $0 part|index" >&2
    exit 2
    ;;
esac
