// `confine settle`: nodes that were made ready take the names of others, see protocol.md.
#pragma once

int settleNodes(void);
