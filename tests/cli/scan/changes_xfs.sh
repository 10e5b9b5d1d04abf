# SPDX-License-Identifier: MIT
# changes.sh on xfs, which keeps no number of its changes: this waits a second before most scans.
reflink_disks=xfs
. "$srcdir/tests/cli/scan/changes.sh"
