#!/bin/sh
# Checks the alarms, and sets each off: takes promtool of the PATH (Debian's package prometheus has it), or $PROMTOOL.
set -eu
cd "$(dirname "$0")/prometheus"
"${PROMTOOL:-promtool}" check rules alarms.yml
"${PROMTOOL:-promtool}" test rules alarms.test.yml
