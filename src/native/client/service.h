// The service of this user: found, or started for those that come next.
#pragma once

// A connection to it, with its word in `token`. -1 where there is none; it is being started then.
int connectService(char token[33]);
