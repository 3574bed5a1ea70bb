// `confine attributes`: extended attributes and access lists of nodes are read and given, see protocol.md.
#pragma once

int serveAttributes(void);
