#!/bin/sh
# Stops or starts the last node of the workflow, and waits until it accepts connections.
docker "$1" node-6103 || exit 1
[ "$1" = stop ] || until docker exec node-6103 pg_isready -h 127.0.0.1 -p 6103; do sleep 1; done
