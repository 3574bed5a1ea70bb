// What enforces that nothing outside of the scratch is changed, whatever the supervisor gets wrong (landlock(7), Linux 5.13).
#pragma once
#include <stdbool.h>

bool hasLandlock(void);
// Confines this process and all that come from it. False with errno.
bool confineWrites(const char *scratch);
